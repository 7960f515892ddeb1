import { describe, expect, it } from 'vitest';
import { DATASETS, scoreOf } from '../../../../../src-main/subnets/quasar/metrics/datasets.ts';

describe('a data set', () => {
  it.each([
    ['hotpotqa', 'Paris, of course', ['Paris', 'Lyon'], 0.5],
    ['triviaqa', '\nParis\nor rather Lyon', ['Paris'], 1],
    ['narrativeqa', '\nParis\nor rather Lyon', ['Paris'], 0.4],
    ['samsum', 'Ann calls Ben\nand more', ['Ann calls Ben'], 1],
    ['passage_retrieval_en', 'Paragraph 3', ['Paragraph 3'], 1],
    ['passage_retrieval_zh', '段落3或段落4', ['段落3'], 0.5],
    ['passage_count', 'There are 7.', ['7'], 1],
    ['lcc', '# the next line\nreturn x;', ['return x;'], 1],
    ['multifieldqa_zh', '答案是北京', ['北京'], 0.5],
    ['openai_mrcr_code', 'kT3vQ9pLm2A poem.', ['kT3vQ9pLm2A poem.'], 1],
  ])('%s is scored by its metric', (dataset, answer, references, wanted) => {
    expect(scoreOf(dataset, answer, references)).toBeCloseTo(wanted, 6);
  });

  it('with classes knows those of the first line', () => {
    const classes = ['体育', '经济'];
    expect(scoreOf('lsht', '体育\n经济', ['体育'], classes)).toBe(1);
    expect(scoreOf('trec', '体育 经济', ['体育'], classes)).toBe(0.5);
  });

  it.each(['hotpot', 'constructor', ''])('«%s» is refused with those there are', (name) => {
    const names = Object.keys(DATASETS);
    expect(() => scoreOf(name, 'Paris', ['Paris'])).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', hint: `Known are: ${names.join(', ')}.` }),
    );
  });
});
