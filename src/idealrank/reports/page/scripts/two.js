// The page of one or two systems.

import { begin } from "./main.js";

begin();
