// Begins the page.

import { part } from "./data.js";

const title = await part("title");
document.title = title;
