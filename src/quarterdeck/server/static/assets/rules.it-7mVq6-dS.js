var e=`# Skull King

Da due a sei pirati (SK-C2) dichiarano quante prese faranno, e poi devono farne esattamente tante. Dopo dieci mani vince chi ha più punti.

## Le carte

Sono 66 (SK-C1): giallo, rosso, blu e nero da 1 a 13, e quattordici carte speciali.

| Carta | Copie | Effetto |
|---|---|---|
| Nero | 13 | Atout: batte ogni altro colore (SK-10) |
| Escape | 5 | Perde contro tutto (SK-11) |
| Mermaid | 2 | Batte ogni colore, e lo Skull King (SK-12, SK-14) |
| Pirata | 5 | Batte ogni colore e le Mermaid (SK-13) |
| Scary Mary | 1 | Pirata o Escape: lo dici mentre la giochi (SK-17) |
| Skull King | 1 | Batte tutto tranne una Mermaid (SK-15) |

## Una mano

1. **Le carte.** Nella prima mano tutti ricevono una carta, nella seconda due, e così via fino a dieci (SK-1), ogni volta dal mazzo intero, mescolato di nuovo (SK-2). Chi dà le carte per la prima mano lo decide il caso; poi si passa in senso orario. Le carte avanzate restano coperte (SK-R1).
2. **La dichiarazione.** Tutti scelgono in segreto e nello stesso momento un numero, da 0 al numero delle proprie carte; poi le dichiarazioni si scoprono (SK-3). Gli altri vedono che hai scelto, ma non che cosa, e non puoi più cambiare (SK-R4).
3. **Il gioco.** Apre la prima presa chi siede a sinistra di chi ha dato le carte; si gioca in senso orario (SK-4). Chi vince una presa apre la successiva, finché ci sono carte (SK-9). Si possono guardare la presa in corso e la precedente; le altre restano coperte (SK-R3).

## Che cosa puoi giocare

- Se hai il colore richiesto, rispondi a colore o gioca una carta speciale: quelle sono sempre permesse (SK-5).
- Se non ce l'hai, giochi quello che vuoi (SK-6). Anche quando si apre di nero puoi scartare un altro colore; nessuno è costretto a giocare una carta speciale, a meno che non abbia altro (SK-8).
- Se la presa si apre con una carta speciale, la prima carta di colore che segue fissa il colore richiesto (SK-7).

## Chi vince la presa

Vale la prima riga che va bene:

1. Skull King e Mermaid nella stessa presa: la Mermaid, qualunque altra carta ci sia (SK-14).
2. Lo Skull King (SK-15).
3. Un Pirata, e di più d'uno il primo giocato (SK-13). Scary Mary come Pirata conta come gli altri (SK-17).
4. Una Mermaid (SK-12).
5. Il nero più alto; senza nero, la carta più alta del colore richiesto (SK-10).
6. Solo Escape: la prima (SK-11).

Di due Mermaid la prima giocata è sempre la più alta (SK-16).

## I punti

| Dichiarazione | Riuscita | Mancata |
|---|---|---|
| 1 o più | +20 per presa (SK-18) | −10 per ogni presa in più o in meno (SK-19) |
| 0 | +10 × numero della mano (SK-20) | −10 × numero della mano (SK-21) |

Le mani si contano da 1 a 10 (SK-R5). Un bonus si aggiunge solo a una dichiarazione riuscita (SK-22):

- **+30** per ogni Pirata in una presa vinta dal tuo Skull King. Scary Mary conta, anche giocata come Escape (SK-23).
- **+50** se la tua Mermaid vince una presa in cui c'è lo Skull King (SK-24).

Dopo la decima mano vince il totale più alto (SK-25); in caso di parità la vittoria è condivisa (SK-R2).
`;export{e as default};