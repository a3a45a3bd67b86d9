"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.PROFILES = void 0;
const STANDARD = {
    warmUp: 200,
    burst: 2_000,
    concurrency: 64,
    steadySeconds: 15,
    fanOut: 1,
    failing: 0,
    dataBytes: 1_024,
    limitRequests: 5_000,
};
exports.PROFILES = {
    standard: STANDARD,
    quick: { ...STANDARD, warmUp: 50, burst: 300, concurrency: 32, steadySeconds: 4, limitRequests: 500 },
    'fan-out-5': { ...STANDARD, warmUp: 50, burst: 400, fanOut: 5 },
    'fan-out-50': { ...STANDARD, warmUp: 10, burst: 40, fanOut: 50 },
    failing: { ...STANDARD, failing: 0.1 },
    large: { ...STANDARD, dataBytes: 65_536 },
};
//# sourceMappingURL=profiles.js.map