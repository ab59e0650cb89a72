var e=`# Skull King

Zwei bis sechs Piraten (SK-C2) sagen an, wie viele Stiche sie machen, und müssen dann genau so viele machen. Nach zehn Durchgängen gewinnt, wer die meisten Punkte hat.

## Die Karten

Es sind 66 (SK-C1): Gelb, Rot, Blau und Schwarz von 1 bis 13, dazu vierzehn Sonderkarten.

| Karte | Anzahl | Wirkung |
|---|---|---|
| Schwarz | 13 | Trumpf: schlägt jede andere Farbe (SK-10) |
| Escape | 5 | Verliert gegen alles (SK-11) |
| Mermaid | 2 | Schlägt alle Farben und den Skull King (SK-12, SK-14) |
| Pirat | 5 | Schlägt alle Farben und die Mermaids (SK-13) |
| Scary Mary | 1 | Piratin oder Escape: Das sagst du beim Ausspielen (SK-17) |
| Skull King | 1 | Schlägt alles außer einer Mermaid (SK-15) |

## Ein Durchgang

1. **Geben.** Im ersten Durchgang bekommen alle eine Karte, im zweiten zwei und so weiter bis zehn (SK-1), jedes Mal aus dem ganzen, neu gemischten Spiel (SK-2). Wer zuerst gibt, entscheidet der Zufall; danach wechselt das Geben im Uhrzeigersinn. Was übrig bleibt, sieht niemand (SK-R1).
2. **Ansagen.** Alle wählen gleichzeitig und geheim eine Zahl von 0 bis zur Zahl ihrer Karten; dann werden die Ansagen aufgedeckt (SK-3). Die anderen sehen vorher nur, dass du gewählt hast. Ändern kannst du es nicht mehr (SK-R4).
3. **Spielen.** Links neben der Person, die gegeben hat, beginnt der erste Stich; es geht im Uhrzeigersinn weiter (SK-4). Wer einen Stich gewinnt, spielt zum nächsten aus, bis alle Karten gespielt sind (SK-9). Offen liegen der laufende Stich und der davor, ältere sind verdeckt (SK-R3).

## Was du spielen darfst

- Hast du die angespielte Farbe, dann bediene sie oder spiel eine Sonderkarte: Sonderkarten sind immer erlaubt (SK-5).
- Hast du sie nicht, bist du frei (SK-6). Auch wenn Schwarz angespielt ist, darfst du eine andere Farbe abwerfen; zu einer Sonderkarte bist du nur gezwungen, wenn du nichts anderes mehr hast (SK-8).
- Beginnt der Stich mit einer Sonderkarte, bestimmt die erste Farbkarte danach die Farbe (SK-7).

## Wer den Stich gewinnt

Es gilt die erste Zeile, die passt:

1. Skull King und Mermaid im selben Stich: die Mermaid, egal was sonst noch liegt (SK-14).
2. Der Skull King (SK-15).
3. Ein Pirat, bei mehreren der zuerst gespielte (SK-13). Scary Mary als Piratin zählt wie die anderen (SK-17).
4. Eine Mermaid (SK-12).
5. Die höchste schwarze Karte; ohne Schwarz die höchste der angespielten Farbe (SK-10).
6. Lauter Escapes: die erste (SK-11).

Von zwei Mermaids ist immer die zuerst gespielte höher (SK-16).

## Punkte

| Ansage | Genau getroffen | Verfehlt |
|---|---|---|
| 1 oder mehr | +20 je Stich (SK-18) | −10 für jeden Stich zu viel oder zu wenig (SK-19) |
| 0 | +10 × Nummer des Durchgangs (SK-20) | −10 × Nummer des Durchgangs (SK-21) |

Die Durchgänge zählen von 1 bis 10 (SK-R5). Einen Bonus gibt es nur zu einer genau getroffenen Ansage (SK-22):

- **+30** für jeden Piraten in einem Stich, den dein Skull King gewinnt. Scary Mary zählt mit, auch als Escape (SK-23).
- **+50**, wenn deine Mermaid einen Stich gewinnt, in dem der Skull King liegt (SK-24).

Nach dem zehnten Durchgang gewinnt die höchste Summe (SK-25); bei Gleichstand wird der Sieg geteilt (SK-R2).
`;export{e as default};