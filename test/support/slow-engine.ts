/**
 * Goes before a `quarry` process (see {@link SLOW_ENGINE} of quarry-process.ts), so that a test can meet its engine amid an answer: it takes
 * twenty times as long, until the file of `QUARRY_TEST_FULL_SPEED` is there, if one is named.
 */
import { existsSync } from 'node:fs';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { SLOW } from './engine.ts';

const LOOK_MS = 50;
const file = process.env.QUARRY_TEST_FULL_SPEED;
const { setSpeed, open } = LocalBackend.prototype;

LocalBackend.prototype.setSpeed = function (share) {
  setSpeed.call(this, file !== undefined && existsSync(file) ? share : share * SLOW);
};
LocalBackend.prototype.open = async function () {
  await open.call(this);
  this.setSpeed(1);
  if (file !== undefined) lookFor(file, this);
};

function lookFor(path: string, engine: LocalBackend): void {
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    clearInterval(timer);
    engine.setSpeed(1);
  }, LOOK_MS).unref();
}
