var e=`# Skull King

Two to six pirates (SK-C2) say how many tricks they will win, and then have to win exactly that many. Ten hands; the most points win.

## The cards

There are 66 (SK-C1): yellow, red, blue and black from 1 to 13, and fourteen special cards.

| Card | Copies | What it does |
|---|---|---|
| Black | 13 | Trump: any black beats any other suit (SK-10) |
| Escape | 5 | Loses to everything (SK-11) |
| Mermaid | 2 | Beats every suit, and the Skull King (SK-12, SK-14) |
| Pirate | 5 | Beats every suit and the Mermaids (SK-13) |
| Scary Mary | 1 | Pirate or Escape: you say which as you play her (SK-17) |
| Skull King | 1 | Beats everything but a Mermaid (SK-15) |

## A hand

1. **Deal.** Everybody gets one card in hand 1, two in hand 2, up to ten in hand 10 (SK-1), each time from the whole pack, freshly shuffled (SK-2). Chance picks the first dealer; then the deal moves clockwise. The cards left over stay hidden (SK-R1).
2. **Bid.** All choose in secret, at the same time, a number from 0 to the number of their cards; then all bids are shown (SK-3). Others see that you have bid, but not what, and you cannot change it (SK-R4).
3. **Play.** The player left of the dealer leads the first trick; the others follow clockwise (SK-4). Whoever wins a trick leads the next one, until no cards are left (SK-9). You may look at the trick on the table and at the one before it; everything earlier lies face down (SK-R3).

## What you may play

- If you hold the suit that was led, play it, or any special card: special cards are always allowed (SK-5).
- Without that suit you are free (SK-6). Even when black is led, you may throw any other suit; you never have to play a special card unless you hold nothing else (SK-8).
- If the trick opens with a special card, the first suit card after it sets the suit (SK-7).

## Who wins the trick

Look for the first line that fits:

1. Skull King and Mermaid together: the Mermaid, whatever else lies there (SK-14).
2. Skull King (SK-15).
3. Pirate, and of several the first one played (SK-13). Scary Mary as a Pirate counts like the others (SK-17).
4. Mermaid (SK-12).
5. The highest black; without black, the highest card of the suit led (SK-10).
6. Nothing but Escapes: the first one (SK-11).

Of two Mermaids the first one played ranks higher, always (SK-16).

## Points

| Bid | Exact | Missed |
|---|---|---|
| 1 or more | +20 a trick (SK-18) | −10 for each trick too many or too few (SK-19) |
| 0 | +10 × number of the hand (SK-20) | −10 × number of the hand (SK-21) |

The number of the hand runs from 1 to 10 (SK-R5). A bonus comes on top only if your bid was exact (SK-22):

- **+30** for each Pirate in a trick your Skull King wins. Scary Mary counts, even as an Escape (SK-23).
- **+50** if your Mermaid wins a trick with the Skull King in it (SK-24).

After hand ten the highest total wins (SK-25); those who tie for it share the win (SK-R2).
`;export{e as default};