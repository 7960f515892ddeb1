import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The kinds of tests, by how long a file of them takes. */
const KINDS = ['e2e', 'integration', 'mocked', 'unit'];

/** Short files last: no processor is idle while one long file goes on alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => KINDS.indexOf(project.name);
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}
