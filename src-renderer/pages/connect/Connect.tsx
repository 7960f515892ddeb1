import { NativeSelect, UnstyledButton } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDesktop } from '../../api/port.ts';
import { Note } from '../../components/Note.tsx';
import { Columns } from '../../components/page/Columns.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../components/page/PageSkeleton.tsx';
import { useNode } from '../../state/node.ts';
import { AccessFacts } from './AccessFacts.tsx';
import { ApiTest } from './ApiTest.tsx';
import classes from './connect.module.css';
import { PROGRAMS, type Program } from './programs.ts';
import { Snippet } from './Snippet.tsx';
import { TOKEN_HERE, useNeedsToken } from './use-needs-token.ts';

/** How other programs ask this node and, through it, the mesh: the address, the token, the models, and what to paste where. */
export function Connect() {
  const { t } = useTranslation('connect');
  const status = useNode((node) => node.status);
  const [program, setProgram] = useState(PROGRAMS[0] as Program);
  const [model, setModel] = useState('mesh');
  const needsToken = useNeedsToken();
  if (!status) return <PageSkeleton />;
  const origin = isDesktop() ? status.url : location.origin;
  if (!origin) {
    return (
      <PageBody>
        <Note icon={IconServerOff} state="pause" title={t('noServer')}>
          {t('noServerHelp')}
        </Note>
      </PageBody>
    );
  }
  const access = { baseUrl: `${origin}/v1`, token: needsToken ? TOKEN_HERE : undefined, model };
  return (
    <Columns widths="204px minmax(0, 1fr)">
      <ProgramList chosen={program} onChoose={setProgram} />
      <PageBody>
        <AccessFacts access={access} onModel={setModel} />
        <Snippet key={program.name} program={program} access={access} />
        <ApiTest access={access} />
      </PageBody>
    </Columns>
  );
}

interface ProgramListProps {
  chosen: Program;
  onChoose: (program: Program) => void;
}

/** The programs; in one field on a phone. */
function ProgramList({ chosen, onChoose }: ProgramListProps) {
  const { t } = useTranslation('connect');
  return (
    <nav className={classes.programs} aria-label={t('programs')}>
      <ul>
        {PROGRAMS.map((program) => (
          <li key={program.name}>
            <UnstyledButton aria-current={program === chosen || undefined} onClick={() => onChoose(program)}>
              {program.name}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <NativeSelect
        label={t('programs')}
        value={chosen.name}
        data={PROGRAMS.map(({ name }) => name)}
        onChange={(event) => onChoose(PROGRAMS.find(({ name }) => name === event.currentTarget.value) ?? chosen)}
      />
    </nav>
  );
}
