import { expect, it } from 'vitest';
import { containerArguments, containerInput } from '../../../src-main/sandbox/container-arguments.ts';

it('walls a container in, as the specification lists it, and names no file, no port and no program', () => {
  const args = containerArguments({ name: 'one', image: 'sha256:abc', cpuSeconds: 45, seconds: 55 });
  const line = args.join(' ');
  for (const wall of [
    '--network none',
    '--read-only',
    '--tmpfs /tmp:rw,noexec,nosuid,nodev,size=64m',
    '--memory 512m --memory-swap 512m',
    '--cpus 1',
    '--pids-limit 64',
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
    '--user 65534:65534',
    '--pull never',
    '--rm',
    '--ulimit cpu=45:46',
    '--entrypoint timeout sha256:abc -s KILL 55 python3',
  ])
    expect(line).toContain(wall);
  expect(line).not.toMatch(/--(volume|mount|publish|privileged|cap-add|device|pid|env-file)\b|docker\.sock/);
});

it('hands over a megabyte beside its program, byte for byte', () => {
  const stdin = `${'ü'.repeat(500_000)}\n`;
  const input = containerInput('print(1) # é', stdin);
  expect(input.subarray(0, 3).toString()).toBe('13\n');
  expect(input.subarray(3, 16).toString()).toBe('print(1) # é');
  expect(input.subarray(16).toString()).toBe(stdin);
});
