"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentCatalog = presentCatalog;
exports.presentEstimate = presentEstimate;
const node_crypto_1 = require("node:crypto");
const big_js_1 = __importDefault(require("big.js"));
const answersOf = new WeakMap();
/** The answer of GET /api/cost-estimator, in the catalog's order; made once for each catalog and filter. */
function presentCatalog(catalog, { provider, category }) {
    let answers = answersOf.get(catalog);
    if (!answers) {
        answers = new Map();
        answersOf.set(catalog, answers);
    }
    const key = `${provider ?? ''} ${category ?? ''}`;
    let answer = answers.get(key);
    if (!answer) {
        const entries = catalog.entries.filter((entry) => (provider === undefined || entry.provider === provider) &&
            (category === undefined || entry.category === category));
        answer = answerOf(entries);
        answers.set(key, answer);
    }
    return answer;
}
function answerOf(entries) {
    const body = Buffer.from(`{"count":${entries.length},"services":[${entries.map(presentEntry).join(',')}]}`);
    return { body, etag: `"${(0, node_crypto_1.createHash)('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}
function presentEntry({ provider, category, service, instance, specs, priceUnit, priceUsd, region, }) {
    const before = JSON.stringify({ provider, category, service, instance, specs, priceUnit });
    return `${before.slice(0, -1)},"priceUsd":${decimalText(priceUsd)},"region":${JSON.stringify(region)}}`;
}
/** Up to here a yearly sum has at most 15 digits, which a JavaScript number holds exactly; above it is a decimal. */
const EXACT_YEAR_USD = 800_000_000_000;
/** The answer of POST /api/cost-estimator, as JSON text. */
function presentEstimate({ estimate, priced }, generatedAt) {
    const { totalMonthlyUsd, totalAnnualUsd, breakdown } = estimate;
    const annual = totalMonthlyUsd < EXACT_YEAR_USD ? totalAnnualUsd : (0, big_js_1.default)(totalMonthlyUsd).times(12).toFixed();
    let lines = '';
    for (const [at, line] of breakdown.entries())
        lines += (at === 0 ? '' : ',') + presentLine(line, priced[at].entry);
    return `{"totalMonthlyUsd":${totalMonthlyUsd},"totalAnnualUsd":${annual},"breakdown":[${lines}],"generatedAt":"${generatedAt.toISOString()}"}`;
}
const lineTexts = new WeakMap();
function presentLine(line, entry) {
    let text = lineTexts.get(entry);
    if (!text) {
        const price = `"unitPrice":${decimalText(entry.priceUsd)},"priceUnit":${JSON.stringify(entry.priceUnit)}`;
        text = { names: namesText(entry), price };
        lineTexts.set(entry, text);
    }
    const isSpeltAlike = line.provider === entry.provider && line.service === entry.service && line.instance === entry.instance;
    const names = isSpeltAlike ? text.names : namesText(line);
    return `{${names},"quantity":${decimalText(line.quantity)},${text.price},"monthlyUsd":${line.monthlyUsd}}`;
}
function namesText({ provider, service, instance }) {
    return `"provider":${JSON.stringify(provider)},"service":${JSON.stringify(service)},"instance":${JSON.stringify(instance)}`;
}
/** A number as JSON without an exponent, which JavaScript would write below a millionth. */
function decimalText(number) {
    return number !== 0 && number < 1e-6 ? (0, big_js_1.default)(number).toFixed() : String(number);
}
//# sourceMappingURL=present.js.map