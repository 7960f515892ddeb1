/**
 * Says a line on standard output, for the test that started this process.
 *
 * @returns when the system has it: it comes, even if this process is killed the next moment. Who says much waits so for whoever
 * reads slowly; to write at once to a pipe that is full fails
 */
export function report(line: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
