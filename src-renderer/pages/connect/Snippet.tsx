import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy/CopyButton.tsx';
import { Section } from '../../components/Section.tsx';
import classes from './connect.module.css';
import type { Access, Program } from './programs.ts';

/** What to run or to paste so that one program uses this node. */
export function Snippet({ program, access }: { program: Program; access: Access }) {
  const { t } = useTranslation('connect');
  const text = program.snippet(access);
  return (
    <Section
      title={program.name}
      aside={<CopyButton text={text} />}
      description={t(`kind.${program.kind}`, { file: program.file ?? '' })}
    >
      <pre className={classes.snippet}>
        <code>{text}</code>
      </pre>
    </Section>
  );
}
