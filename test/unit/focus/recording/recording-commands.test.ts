import { expect, it } from 'vitest';
import { RecordingCommands } from '../../../../src-main/focus/recording/recording-commands.ts';
import type { RecordingCommand } from '../../../../src-preload/contract/focus.ts';

it('what is wanted of the page that records reaches all who follow, in order, until they leave', async () => {
  const commands = new RecordingCommands();
  commands.send({ command: 'finish' }); // nobody records: it is for nobody who comes later
  const leaving = new AbortController();
  const heard: RecordingCommand[][] = [[], []];
  const following = heard.map(async (into) => {
    for await (const command of commands.follow(leaving.signal)) into.push(command);
  });
  await Promise.resolve();
  commands.send({ command: 'pause' });
  commands.send({ command: 'panic' });
  leaving.abort();
  await Promise.all(following);
  commands.send({ command: 'resume' });
  expect(heard).toEqual([
    [{ command: 'pause' }, { command: 'panic' }],
    [{ command: 'pause' }, { command: 'panic' }],
  ]);
});
