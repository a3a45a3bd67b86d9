"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startStackInbox = startStackInbox;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const endpoint_store_1 = require("../src/record/endpoint-store");
const event_store_1 = require("../src/record/event-store");
const mongo_1 = require("../src/platform/mongo");
const secret_box_1 = require("../src/platform/secret-box");
const certificate_authority_1 = require("./certificate-authority");
const inbox_1 = require("./inbox");
const inbox_secrets_1 = require("./inbox-secrets");
const private_file_1 = require("../src/platform/private-file");
/**
 * Starts the inbox of a data folder: with the same authority and, while nobody else has it, on the same port as
 * before, so that endpoints registered with it go on working.
 */
async function startStackInbox(options) {
    const folder = (0, node_path_1.join)(options.dataDir, 'inbox');
    await (0, promises_1.mkdir)(folder, { recursive: true, mode: 0o700 });
    const authority = await (0, certificate_authority_1.openCertificateAuthority)(folder);
    const mongo = (0, mongo_1.createMongo)(options.mongodbUri);
    const secretsFor = (0, inbox_secrets_1.createInboxSecrets)({
        events: (0, event_store_1.createEventStore)(mongo.db),
        endpoints: (0, endpoint_store_1.createEndpointStore)(mongo.db),
        secretBox: (0, secret_box_1.createSecretBox)(options.encryptionKeys),
    });
    const portFile = (0, node_path_1.join)(folder, 'port');
    const preferredPort = Number((await (0, private_file_1.readIfThere)(portFile)) ?? 0);
    const inbox = await (0, inbox_1.startInbox)({ preferredPort, certificate: await authority.issueServerCertificate(), secretsFor });
    if (inbox.port !== preferredPort) {
        await (0, private_file_1.writePrivateFile)(portFile, String(inbox.port));
        if (preferredPort !== 0) {
            options.onProgress(`Port ${preferredPort} of the inbox is taken; it is ${inbox.port} now. Register ${inbox.endpointUrl} to go on using it.`);
        }
    }
    return {
        inbox,
        caPem: authority.certPem,
        async close() {
            await inbox.close();
            await mongo.close();
        },
    };
}
//# sourceMappingURL=stack-inbox.js.map