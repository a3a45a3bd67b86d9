"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCertificateAuthority = createCertificateAuthority;
exports.openCertificateAuthority = openCertificateAuthority;
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const selfsigned_1 = require("selfsigned");
const private_file_1 = require("../src/platform/private-file");
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const SERVER_DAYS = 800;
/** A new authority is made so long before the old one ends. */
const RENEW_BEFORE_DAYS = SERVER_DAYS;
const ELLIPTIC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' };
/** Makes an authority that lives as long as this object. */
async function createCertificateAuthority() {
    return authority(await generateAuthority());
}
/**
 * The authority of a data folder: made once and kept, so that what trusts it goes on trusting it. Its key is
 * readable by its owner only.
 */
async function openCertificateAuthority(folder) {
    const keyFile = (0, node_path_1.join)(folder, 'ca-key.pem');
    const certFile = (0, node_path_1.join)(folder, 'ca.pem');
    const kept = await readKept(keyFile, certFile);
    if (kept)
        return authority(kept);
    const made = await generateAuthority();
    await (0, promises_1.mkdir)(folder, { recursive: true, mode: 0o700 });
    await (0, private_file_1.writePrivateFile)(keyFile, made.key);
    await (0, private_file_1.writePrivateFile)(certFile, made.cert);
    return authority(made);
}
async function readKept(keyFile, certFile) {
    try {
        const [key, cert] = await Promise.all([(0, promises_1.readFile)(keyFile, 'utf8'), (0, promises_1.readFile)(certFile, 'utf8')]);
        const endsAt = Date.parse(new node_crypto_1.X509Certificate(cert).validTo);
        return endsAt - Date.now() > RENEW_BEFORE_DAYS * DAY_MS ? { key, cert } : undefined;
    }
    catch {
        // Not there yet, or half of a pair: a new one is made.
        return undefined;
    }
}
async function generateAuthority() {
    const { private: key, cert } = await (0, selfsigned_1.generate)([{ name: 'commonName', value: 'Everpost local inbox CA' }], {
        ...ELLIPTIC,
        ...validFor(AUTHORITY_DAYS),
        extensions: [
            { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
            { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
        ],
    });
    return { key, cert };
}
function authority(ca) {
    return {
        certPem: ca.cert,
        async issueServerCertificate() {
            const { private: key, cert } = await (0, selfsigned_1.generate)([{ name: 'commonName', value: '127.0.0.1' }], {
                ...ELLIPTIC,
                ...validFor(SERVER_DAYS),
                ca,
                extensions: [
                    { name: 'basicConstraints', cA: false, critical: true },
                    { name: 'keyUsage', digitalSignature: true, critical: true },
                    { name: 'extKeyUsage', serverAuth: true },
                    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
                ],
            });
            return { key, cert };
        },
    };
}
/** From a day ago, so that clocks that differ do no harm. */
function validFor(days) {
    const now = Date.now();
    return { notBeforeDate: new Date(now - DAY_MS), notAfterDate: new Date(now + days * DAY_MS) };
}
//# sourceMappingURL=certificate-authority.js.map