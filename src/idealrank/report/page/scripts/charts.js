// The charts.

/** Draws the charts into an empty section. */
export async function charts() {}
