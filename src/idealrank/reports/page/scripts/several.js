// The page of several systems, of which any two may be chosen.

import { begin } from "./main.js";
import { matrixOf, pairOf } from "./pair.js";

begin(pairOf, matrixOf);
