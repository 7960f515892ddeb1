import { compileTaskSchema } from './compile-messages.ts';
import { compileSource } from './compile-source.ts';

/** Entry of the process that compiles one source: a hostile one may take all of its memory and time. */
process.once('message', (message) => {
  void compileSource(compileTaskSchema.parse(message).source).then((report) => process.send?.(report));
});
