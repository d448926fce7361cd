// The parts of the report: each is one block of compressed JSON in the page.

const known = new Map();

/** Whether this browser can unpack the parts. */
export const readable = typeof DecompressionStream === "function";

/**
 * Returns a part of the report by name; it is unpacked when first asked for.
 * @param {string} name one of the parts of `Report.to_dict`
 * @returns {Promise<any>}
 */
export function part(name) {
  if (!known.has(name)) known.set(name, unpacked(document.getElementById(`part-${name}`)));
  return known.get(name);
}

async function unpacked(block) {
  const packed = bytesOf(block.textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const signs = atob(text);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at += 1) bytes[at] = signs.charCodeAt(at);
  return bytes;
}
