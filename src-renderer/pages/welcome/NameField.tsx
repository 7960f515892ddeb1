import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { useNodeName } from './use-node-name.ts';

/** As the setting has it. */
const LONGEST_NAME = 40;

export function NameField({ name, onEnter }: { name: ReturnType<typeof useNodeName>; onEnter: () => void }) {
  const { t } = useTranslation('welcome');
  return (
    <TextInput
      label={t('hello.name')}
      description={t(name.held ? 'hello.nameHeld' : 'hello.nameHelp')}
      value={name.value}
      onChange={(event) => name.change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      maxLength={LONGEST_NAME}
      readOnly={name.held}
      size="md"
      autoComplete="off"
      spellCheck={false}
    />
  );
}
