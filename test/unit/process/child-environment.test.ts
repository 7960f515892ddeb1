import { describe, expect, it } from 'vitest';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../../src-main/process/child-environment.ts';

describe('the environment of a child', () => {
  it('holds what is on the list and nothing else', () => {
    const parent = { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C', QUARRY_TOKEN: 'secret', AWS_ACCESS_KEY_ID: 'secret' };
    expect(allowedEnvironment(BASIC_ENVIRONMENT, parent, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      LC_ALL: 'C',
    });
    expect(allowedEnvironment([], parent, 'linux')).toEqual({});
  });

  it('lets nothing through a star that is named like a secret', () => {
    const parent = {
      NVIDIA_VISIBLE_DEVICES: '0',
      NVIDIA_API_KEY: 'secret',
      NVIDIA_AUTH: 'secret',
      NVIDIA_TOKEN: 'secret',
    };
    expect(allowedEnvironment(['NVIDIA_*'], parent, 'linux')).toEqual({ NVIDIA_VISIBLE_DEVICES: '0' });
  });

  it.each(['PWD', 'PW', 'API_PAT', 'COOKIE', 'SESSION', 'BEARER', 'DB_DSN', 'DB_URL', 'url_of_db'])(
    'lets no VK_%s through a star',
    (end) => {
      const parent = { [`VK_${end}`]: 'secret', VK_LAYER_PATH: '/layers' };
      expect(allowedEnvironment(['VK_*'], parent, 'linux')).toEqual({ VK_LAYER_PATH: '/layers' });
    },
  );

  it('knows the names that say how a language is spoken, and takes no other that looks like one', () => {
    const parent = { LC_CTYPE: 'C.UTF-8', LC_TIME: 'de_DE', LC_PGP: 'secret', LC_DB: 'secret' };
    expect(allowedEnvironment(BASIC_ENVIRONMENT, parent, 'linux')).toEqual({ LC_CTYPE: 'C.UTF-8', LC_TIME: 'de_DE' });
  });

  it('takes a name of the list as it is, and a star as the beginning of a name', () => {
    const parent = { VK: 'a', VK_ICD_FILENAMES: 'b', NOVK_: 'c', PATHS: 'd' };
    expect(allowedEnvironment(['VK_*', 'PATH'], parent, 'linux')).toEqual({ VK_ICD_FILENAMES: 'b' });
  });

  it('knows that Windows does not care for the case of letters, and that others do', () => {
    const parent = { Path: 'C:\\', SYSTEMROOT: 'C:\\Windows', cuda_path: 'x' };
    expect(allowedEnvironment(['PATH', 'SystemRoot', 'CUDA_*'], parent, 'win32')).toEqual(parent);
    expect(allowedEnvironment(['PATH', 'SystemRoot', 'CUDA_*'], parent, 'linux')).toEqual({});
  });
});
