"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=api-key-record.js.map