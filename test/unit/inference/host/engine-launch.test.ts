import { afterEach, expect, it, vi } from 'vitest';
import { ENGINE_ENTRY, engineLaunch } from '../../../../src-main/inference/host/engine-launch.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('gives the engine what chooses a GPU, and no secret of its parent', () => {
  const wanted = {
    CUDA_VISIBLE_DEVICES: '1',
    VK_ICD_FILENAMES: '/icd.json',
    HSA_OVERRIDE_GFX_VERSION: '10.3.0',
    LD_LIBRARY_PATH: '/opt/lib',
    GGML_VK_VISIBLE_DEVICES: '0',
    XDG_DATA_DIRS: '/usr/share',
  };
  const secret = {
    QUARRY_TOKEN: 'a secret',
    QUARRY_REMOTE_API_KEY: 'a secret',
    OPENAI_API_KEY: 'a secret',
    HF_TOKEN: 'a secret',
    NVIDIA_API_KEY: 'a secret',
    LLAMA_ARG_API_KEY: 'a secret',
    AWS_SECRET_ACCESS_KEY: 'a secret',
    DATABASE_URL: 'postgres://a:secret@b/c',
    NODE_OPTIONS: '--require /tmp/evil.js',
  };
  for (const [name, value] of Object.entries({ ...wanted, ...secret })) vi.stubEnv(name, value);
  const { env } = engineLaunch(ENGINE_ENTRY);
  expect(env).toMatchObject({ ...wanted, UV_THREADPOOL_SIZE: '1', GGML_NO_BACKTRACE: '1' });
  for (const name of Object.keys(secret)) expect(env).not.toHaveProperty(name);
  expect(JSON.stringify(env)).not.toContain('secret');
});

it('shows the engine only the GPUs that were chosen, whatever the environment says', () => {
  vi.stubEnv('CUDA_VISIBLE_DEVICES', '3');
  vi.stubEnv('GGML_VK_VISIBLE_DEVICES', undefined);
  expect(engineLaunch(ENGINE_ENTRY, ['1', '0']).env).toMatchObject({
    ...{ CUDA_VISIBLE_DEVICES: '1,0', GGML_VK_VISIBLE_DEVICES: '1,0', CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
  });
  const byId = engineLaunch(ENGINE_ENTRY, ['GPU-8f3a1c']).env;
  expect(byId).toMatchObject({ CUDA_VISIBLE_DEVICES: 'GPU-8f3a1c' });
  expect(byId).not.toHaveProperty('GGML_VK_VISIBLE_DEVICES');
  expect(engineLaunch(ENGINE_ENTRY).env).toMatchObject({ CUDA_VISIBLE_DEVICES: '3' });
});
