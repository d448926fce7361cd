// Which pages answer a question: BM25 over the parts of each page, so that no word of the question must be there.
"use strict";

const WEIGHTS = { title: 3, answers: 4, heading: 2 };
const BELOW = { ...WEIGHTS, title: 1.5, answers: 1 }; // for a part below the first: what its page is called says less of it
const COMMON = new Set(
  "a an and are as at be by can do does for from how i in is it me my of on or should t s that the there this to vs versus was we what when which why with you your".split(" "),
);

/** The words of a text, without their endings; `nDCG@10` is `ndcg`, `rank_eval` also `rank` and `eval`. */
function words(text) {
  const found = text.toLowerCase().replace(/@(?:[\d.]+|k\b)/g, " ").normalize("NFKD").replace(/['’]/g, "").match(/[\p{L}\p{N}_]+/gu) ?? [];
  return found.flatMap((word) => (word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word])).map(stem);
}

function stem(word) {
  if (word.length < 4) return word;
  return word.replace(/ies$/, "y").replace(/(ss|us|is)$/, "$1\u0000").replace(/(?:es|s|ing|ed|e)$/, "").replace("\u0000", "");
}

function counted(list) {
  const counts = new Map();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Read the pages once; return a function from a question to pages, best first, each with its best part. */
function ranker(pages) {
  const parts = pages.flatMap((page) => page.parts.map((part, place) => read(page, part, place)));
  const mean = parts.reduce((sum, part) => sum + part.length, 0) / parts.length;
  const among = new Map();
  for (const part of parts) for (const word of part.all) among.set(word, (among.get(word) ?? 0) + 1);
  const rarity = (word) => Math.log(1 + (parts.length - (among.get(word) ?? 0) + 0.5) / ((among.get(word) ?? 0) + 0.5));
  return (question) => best(parts, meant(question, among), rarity, mean);
}

function read(page, [anchor, heading, text], place) {
  const fields = { title: page.parts[0][1], answers: page.answers, heading: place ? heading : "", text };
  const counts = Object.fromEntries(Object.entries(fields).map(([name, said]) => [name, counted(words(said))]));
  const all = new Set(Object.values(counts).flatMap((count) => [...count.keys()]));
  return { page: page.page, anchor: place ? anchor : "", title: fields.title, heading: fields.heading, text, counts, all, length: words(text).length };
}

/** The words a question is about: the last may not be typed to its end, and a word that no page has may be misspelled. */
function meant(question, among) {
  const all = [...new Set(words(question))];
  const rare = all.filter((word) => !COMMON.has(word));
  const kept = rare.length ? rare : all;
  const typing = question.endsWith(" ") ? undefined : kept.at(-1);
  return kept.map((word) => {
    if (among.has(word)) return word;
    return (word === typing && completed(word, among)) || nearest(word, among) || word;
  });
}

/** The most frequent word that begins so. */
function completed(begun, among) {
  return begun.length > 1 && mostFrequent([...among.keys()].filter((word) => word.startsWith(begun)), among);
}

/** The word that differs least, by one typing error, or two if it is long. */
function nearest(word, among) {
  if (word.length < 4 || /\d/.test(word)) return undefined;
  for (const allowed of word.length < 8 ? [1] : [1, 2]) {
    const near = [...among.keys()].filter((other) => Math.abs(other.length - word.length) <= allowed && errors(word, other) <= allowed);
    if (near.length) return mostFrequent(near, among);
  }
}

function mostFrequent(list, among) {
  return list.sort((a, b) => among.get(b) - among.get(a))[0];
}

/** How many letters are missing, superfluous, wrong or exchanged with their neighbour. */
function errors(a, b) {
  let before;
  let above = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] !== b[j - 1]), exchanged ? before[j - 2] + 1 : Infinity);
    }
    [before, above] = [above, row];
  }
  return above.at(-1);
}

function best(parts, asked, rarity, mean) {
  const whole = asked.reduce((sum, word) => sum + rarity(word), 0);
  const pages = new Map();
  for (const part of parts) {
    const score = scored(part, asked, rarity, mean, whole);
    if (score > (pages.get(part.page)?.score ?? 0)) pages.set(part.page, { ...part, score });
  }
  return [...pages.values()].sort((a, b) => b.score - a.score);
}

/** BM25F: each field's counts are weighted, and those of a long text count less; times the share of the question that is there. */
function scored(part, asked, rarity, mean, whole) {
  const weights = { ...(part.anchor ? BELOW : WEIGHTS), text: 1 / (0.5 + (0.5 * part.length) / mean) };
  let sum = 0;
  let there = 0;
  for (const word of asked) {
    const count = Object.entries(weights).reduce((all, [field, weight]) => all + weight * (part.counts[field].get(word) ?? 0), 0);
    if (!count) continue;
    there += rarity(word);
    sum += (rarity(word) * count * 2.2) / (count + 1.2);
  }
  return (sum * there) / whole;
}
