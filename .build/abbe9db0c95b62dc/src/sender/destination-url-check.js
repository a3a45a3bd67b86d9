"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkDestinationUrl = checkDestinationUrl;
const destination_url_1 = require("../domain/destination-url");
const errors_1 = require("../domain/errors");
const address_guard_1 = require("./address-guard");
/**
 * Checks a URL that a caller wants deliveries to go to, as far as it can be judged without DNS: addresses of names
 * are judged when a delivery connects (decisions, "400 or 422").
 *
 * @returns the URL to store, exactly as it was sent
 * @throws InvalidRequestError when it is not an absolute URL (400)
 * @throws UnprocessableError when it is one that can't be used: scheme, credentials, fragment, port, host (422)
 */
function checkDestinationUrl(raw, policy) {
    const parsed = (0, destination_url_1.parseDestinationUrl)(raw, policy);
    if (!parsed.ok) {
        const details = [{ path: 'url', message: parsed.message }];
        if (parsed.kind === 'malformed')
            throw new errors_1.InvalidRequestError(parsed.message, parsed.code, details);
        throw new errors_1.UnprocessableError(parsed.message, parsed.code, details);
    }
    const refusal = (0, address_guard_1.createAddressGuard)(policy).judgeUrl(parsed.url);
    if (refusal)
        throw new errors_1.UnprocessableError(refusal.message, refusal.code, [{ path: 'url', message: refusal.message }]);
    return raw;
}
//# sourceMappingURL=destination-url-check.js.map