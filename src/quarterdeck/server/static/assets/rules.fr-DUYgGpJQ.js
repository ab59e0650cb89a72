var e=`# Skull King

De deux à six pirates (SK-C2) annoncent combien de plis ils feront, puis doivent en faire exactement autant. Après dix manches, le plus grand nombre de points l'emporte.

## Les cartes

Il y en a 66 (SK-C1)\xA0: jaune, rouge, bleu et noir de 1 à 13, et quatorze cartes spéciales.

| Carte | Nombre | Effet |
|---|---|---|
| Noir | 13 | Atout\xA0: bat toutes les autres couleurs (SK-10) |
| Escape | 5 | Perd contre tout (SK-11) |
| Mermaid | 2 | Bat toutes les couleurs, et le Skull King (SK-12, SK-14) |
| Pirate | 5 | Bat toutes les couleurs et les Mermaids (SK-13) |
| Scary Mary | 1 | Pirate ou Escape\xA0: on le dit en la jouant (SK-17) |
| Skull King | 1 | Bat tout, sauf une Mermaid (SK-15) |

## Une manche

1. **La donne.** Chacun reçoit une carte à la première manche, deux à la deuxième, et ainsi de suite jusqu'à dix (SK-1), toujours du paquet entier, mélangé de nouveau (SK-2). Le hasard désigne le premier donneur\xA0; la donne passe ensuite dans le sens des aiguilles d'une montre. Les cartes restantes demeurent cachées (SK-R1).
2. **L'annonce.** Tous choisissent en secret et en même temps un nombre, de 0 au nombre de leurs cartes\xA0; puis on dévoile toutes les annonces (SK-3). Les autres voient que vous avez choisi, mais pas quoi, et vous ne pouvez plus changer (SK-R4).
3. **Le jeu.** Le voisin de gauche du donneur entame le premier pli\xA0; on joue dans le sens des aiguilles d'une montre (SK-4). Qui remporte un pli entame le suivant, jusqu'à épuisement des cartes (SK-9). On peut revoir le pli en cours et le précédent\xA0; les plus anciens restent face cachée (SK-R3).

## Ce que l'on peut jouer

- Si vous avez la couleur demandée, fournissez-la ou jouez une carte spéciale\xA0: celles-ci sont toujours permises (SK-5).
- Sinon, vous êtes libre (SK-6). Même si l'on a entamé à noir, vous pouvez défausser une autre couleur\xA0; rien n'oblige à jouer une carte spéciale, sauf si vous n'avez rien d'autre (SK-8).
- Quand le pli s'ouvre sur une carte spéciale, la première carte de couleur qui suit fixe la couleur demandée (SK-7).

## Qui remporte le pli

La première ligne qui convient décide\xA0:

1. Skull King et Mermaid dans le même pli\xA0: la Mermaid, quoi qu'il y ait d'autre (SK-14).
2. Le Skull King (SK-15).
3. Un Pirate, et de plusieurs le premier joué (SK-13). Scary Mary en Pirate compte comme les autres (SK-17).
4. Une Mermaid (SK-12).
5. Le plus fort noir\xA0; sans noir, la plus forte carte de la couleur demandée (SK-10).
6. Rien que des Escapes\xA0: la première (SK-11).

De deux Mermaids, la première jouée est toujours la plus forte (SK-16).

## Les points

| Annonce | Tenue | Manquée |
|---|---|---|
| 1 ou plus | +20 par pli (SK-18) | −10 par pli en trop ou en moins (SK-19) |
| 0 | +10 × numéro de la manche (SK-20) | −10 × numéro de la manche (SK-21) |

Les manches se comptent de 1 à 10 (SK-R5). Un bonus ne s'ajoute qu'à une annonce tenue (SK-22)\xA0:

- **+30** pour chaque Pirate dans un pli que remporte votre Skull King. Scary Mary en est, même jouée en Escape (SK-23).
- **+50** si votre Mermaid remporte un pli où se trouve le Skull King (SK-24).

Après la dixième manche, le plus haut total gagne (SK-25)\xA0; en cas d'égalité, la victoire est partagée (SK-R2).
`;export{e as default};