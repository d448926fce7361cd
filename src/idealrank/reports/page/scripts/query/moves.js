// How documents moved from one list to the other.

/**
 * Returns for both lists what became of their documents: the rank in the other list, or nothing.
 * @param {{document: number|null, rank: number}[]} left
 * @param {{document: number|null, rank: number}[]} right
 */
export function movesBetween(left, right) {
  return [
    { ranks: ranksOf(right), before: true },
    { ranks: ranksOf(left), before: false },
  ];
}

function ranksOf(items) {
  return new Map(items.map((item) => [item.document, item.rank]));
}

/** Says how a document moved: glyph and number for the eye, words for the ear; never by colour alone. */
export function moveOf({ ranks, before }, item) {
  const other = ranks.get(item.document);
  if (other === undefined) return before ? { kind: "gone", text: "gone", words: "gone from the right list" } : { kind: "new", text: "new", words: "new in the right list" };
  if (before) return null; // said once, in the right list
  const step = other - item.rank;
  if (step === 0) return { kind: "same", text: "=", words: `rank ${item.rank} in both lists` };
  const [kind, glyph] = step > 0 ? ["up", "▲"] : ["down", "▼"];
  return { kind, text: `${glyph}${Math.abs(step)}`, words: `${kind} from rank ${other}` };
}
