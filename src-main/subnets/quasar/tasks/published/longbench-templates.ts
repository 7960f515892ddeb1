import type { Framed } from './cut-text.ts';
import type { LongBenchName } from './longbench-sets.ts';

/** A text with one `{context}`, and `{input}` where it asks something of each row. */
export type Template = string;

const CONTEXT = '{context}';

const aboutPassages = `{context}

Everything that is needed stands in the passages above, though rarely in one of them alone. Put the answer in as few words as it takes, and add nothing to it.
Asked: {input}
Answer:`;

const codeGoesOn = `The following is the beginning of some source code. Write the one line that comes next, and only that.

{context}`;

/**
 * How rows are put to a model where the benchmark's own templates are not there: in words of ours, the text first wherever that can be, so that
 * questions about one text begin alike.
 */
export const OWN_TEMPLATES: Record<LongBenchName, Template> = {
  narrativeqa: `{context}

That was the story. What follows is asked about it. Reply with a name or a few words, and do not say why.
Asked: {input}
Answer:`,
  qasper: `{context}

That was a paper. Reply to what is asked about it in a few words or one sentence. Say yes or no where that is what is asked, and unanswerable where the paper does not tell.
Asked: {input}
Answer:`,
  multifieldqa_en: `{context}

Reply from the text above alone, briefly, with the bare answer.
Asked: {input}
Answer:`,
  multifieldqa_zh: `{context}

以上是资料。只根据资料作答，直接写出答案，越短越好。
提问：{input}
答案：`,
  hotpotqa: aboutPassages,
  '2wikimqa': aboutPassages,
  musique: aboutPassages,
  dureader: `{context}

以上是几篇网页内容。参考它们，用自己的话回答。
提问：{input}
答案：`,
  gov_report: `{context}

Tell on about one page what this report of a public authority says: why it was made, what was found, and what it recommends.
Summary:`,
  qmsum: `{context}

These are the minutes of a meeting, word for word. Reply in one or more full sentences.
Wanted: {input}
Answer:`,
  multi_news: `{context}

All of these articles are about the same events. Tell on about one page what happened.
Summary:`,
  vcsum: `{context}

以上是一次会议的逐字记录。概括会上讨论了什么、得出了什么结论。
概括：`,
  trec: `Each question below is followed by the kind of thing that it asks for. Name the kind for the last one, in the same words as above it.

{context}
{input}`,
  triviaqa: `Each passage below is followed by a question and its short answer. Answer the last one likewise.

{context}

{input}`,
  samsum: `Each conversation below is followed by a short account of it. Write one for the last conversation.

{context}

{input}`,
  lsht: `下面每条新闻后面都写着它的类别。照样写出最后一条的类别。

{context}
{input}`,
  passage_count: `{context}

Some of these paragraphs appear more than once, word for word. Count each only once: how many different ones are there? Reply with the number.
Number:`,
  passage_retrieval_en: `{context}

One of these paragraphs was put into other words:

{input}

Which one? Reply with the word Paragraph and its number.
Reply:`,
  passage_retrieval_zh: `{context}

下面的话概括了其中一段：

{input}

是哪一段？回答“段落”加编号。
回答：`,
  lcc: codeGoesOn,
  'repobench-p': `${codeGoesOn}{input}`,
};

/** What stands around the text of a row. Nothing in the row's own texts is taken for a slot. */
export function framed(template: Template, row: { context: string; input: string }): Framed {
  const at = template.indexOf(CONTEXT);
  const filled = (part: string) => part.replaceAll('{input}', () => row.input);
  const [before, after] = [template.slice(0, at), template.slice(at + CONTEXT.length)];
  return { before: filled(before), context: row.context, after: filled(after) };
}

/** Whether a text can be used as a template. */
export const isTemplate = (text: string): boolean => text.split(CONTEXT).length === 2;
