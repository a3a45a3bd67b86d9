"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=endpoint-load.js.map