"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.systemClock = void 0;
const systemClock = () => Date.now();
exports.systemClock = systemClock;
//# sourceMappingURL=clock.js.map