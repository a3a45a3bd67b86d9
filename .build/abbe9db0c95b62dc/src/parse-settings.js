"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseCidrs = parseCidrs;
exports.parseHosts = parseHosts;
exports.parsePorts = parsePorts;
exports.parseProxy = parseProxy;
exports.parseEncryptionKeys = parseEncryptionKeys;
exports.parseTiers = parseTiers;
exports.readCertificates = readCertificates;
const node_fs_1 = require("node:fs");
const ipaddr_js_1 = __importDefault(require("ipaddr.js"));
const zod_1 = require("zod");
const tiers_1 = require("./domain/tiers");
function commaList(text) {
    return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
}
/** A comma list of CIDR ranges. @throws RangeError naming an invalid one */
function parseCidrs(text) {
    return commaList(text).map((range) => {
        if (!ipaddr_js_1.default.isValidCIDR(range))
            throw new RangeError(`"${range}" is not a CIDR range such as 10.0.0.0/8`);
        return range;
    });
}
/** A comma list of host names, `.example.com` for all below one, or `*`. @throws RangeError naming an invalid one */
function parseHosts(text) {
    return commaList(text.toLowerCase()).map((host) => {
        if (host !== '*' && !/^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) {
            throw new RangeError(`"${host}" is not a host name such as hooks.example.com, without scheme and port`);
        }
        return host;
    });
}
/** A comma list of ports and ranges such as `20000-30000`. @throws RangeError naming an invalid one */
function parsePorts(text) {
    return commaList(text).map((range) => {
        const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range);
        const from = Number(match?.[1]);
        const to = Number(match?.[2] ?? match?.[1]);
        if (!match || from < 1 || to > 65_535 || from > to) {
            throw new RangeError(`"${range}" is not a port or a range such as 20000-30000`);
        }
        return { from, to };
    });
}
/**
 * The URL of a proxy, with or without credentials. What is wrong is said without repeating any of it.
 *
 * @throws RangeError
 */
function parseProxy(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
        throw new RangeError('must be a URL such as http://proxy.example:4750 or https://user:password@proxy.example');
    }
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
        throw new RangeError('must not have a path, a query or a fragment; percent-encode "/", "?" and "#" in credentials');
    }
    const { username, password } = url;
    const credentials = [username, password].map(decodeURIComponent).join(':');
    const authorization = username === '' && password === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    return { url: new URL(`${url.protocol}//${url.host}`), authorization };
}
/** Keys are 32 bytes in base64: what `openssl rand -base64 32` prints. Newest first, comma-separated. @throws RangeError */
function parseEncryptionKeys(text) {
    return commaList(text).map((key) => {
        if (Buffer.from(key, 'base64').length !== 32)
            throw new RangeError('each key is 32 bytes in base64');
        return key;
    });
}
const tierSchema = zod_1.z.strictObject({
    id: zod_1.z.string().regex(/^[a-z][a-z0-9_-]*$/),
    name: zod_1.z.string().min(1),
    monthlyQuota: zod_1.z.number().int().min(0).nullable(),
    perMinute: zod_1.z.number().int().min(1),
    deliveriesPerMinute: zod_1.z.number().int().min(1).optional(),
    pendingDeliveries: zod_1.z.number().int().min(1).nullable().optional(),
});
/** Tiers as JSON, laid over the default ones. @throws RangeError or SyntaxError saying what is wrong */
function parseTiers(text) {
    const tiers = zod_1.z.array(tierSchema).safeParse(JSON.parse(text));
    if (!tiers.success)
        throw new RangeError(zod_1.z.prettifyError(tiers.error));
    return (0, tiers_1.mergeTiers)(tiers.data);
}
/** The certificates (PEM) in a file. @throws RangeError when it can't be read */
function readCertificates(file) {
    try {
        return (0, node_fs_1.readFileSync)(file, 'utf8');
    }
    catch (error) {
        throw new RangeError(`The certificate file ${file} can't be read: ${error.message}`, { cause: error });
    }
}
//# sourceMappingURL=parse-settings.js.map