import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const VERSIONS = '["3.12.4", "2.15.0"]';

/** What a made environment's Python does: nothing, and it says so. Where a file `wait` lies beside the tools it, or uv, takes until it is gone. */
const tools = (at: string) => ({
  install: `
    mkdir -p "$PIP_CACHE_DIR"; echo package > "$PIP_CACHE_DIR/package"
    if [ -e ${at}/fail ]; then echo "error: hash mismatch at https://me:secret@index/torch" >&2; exit 1; fi
    touch ${at}/begun; while [ -e ${at}/wait ]; do sleep 0.05; done; touch ${at}/ended`,
  venv: `
    mkdir -p "$folder/bin"; printf '#!/bin/sh\\nexec ${at}/made "$@"\\n' > "$folder/bin/python"; chmod 755 "$folder/bin/python"`,
});

async function script(path: string, text: string): Promise<void> {
  await writeFile(
    path,
    `#!/bin/sh\nPATH=/usr/bin:/bin\necho "$0 $*" >> ${join(path, '../calls')}\nfor folder; do :; done\n${text}\n`,
    { mode: 0o755 },
  );
}

/**
 * Tools that do as if they installed PyTorch, and write what they were called with into a file `calls`.
 * @param folder not there yet @param which `uv`, `python3`, or both
 */
export async function writeTools(folder: string, which: readonly string[]): Promise<void> {
  await mkdir(folder);
  const { install, venv } = tools(folder);
  await script(join(folder, 'made'), `case "$1" in -I) echo '${VERSIONS}';; *) ${install};; esac`);
  const uv = `case "$1" in --version) echo uv 1;; venv) ${venv};; *) ${install};; esac`;
  const python = `case "$2" in -c) echo 3 12;; *) ${venv};; esac`;
  if (which.includes('uv')) await script(join(folder, 'uv'), uv);
  if (which.includes('python3')) await script(join(folder, 'python3'), python);
}
