"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.encryptionKeys = encryptionKeys;
const node_crypto_1 = require("node:crypto");
const data_dir_1 = require("../src/cli/data-dir");
const private_file_1 = require("../src/platform/private-file");
/** Keys for secrets at rest (`keysOfDataDir`). A folder without any key gets one of its own, readable by its owner only. */
async function encryptionKeys(dataDir, configured) {
    const keys = await (0, data_dir_1.keysOfDataDir)(dataDir, configured);
    if (keys.length > 0)
        return keys;
    const made = (0, node_crypto_1.randomBytes)(32).toString('base64');
    await (0, private_file_1.writePrivateFile)((0, data_dir_1.keyFileOf)(dataDir), `${made}\n`);
    return [made];
}
//# sourceMappingURL=encryption-key.js.map