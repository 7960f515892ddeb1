import { Anchor, Blockquote, Button, Code, ScrollArea, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isDesktop } from '../../../api/port.ts';
import { useCopy } from '../../../components/copy/useCopy.ts';
import classes from '../playground.module.css';

/** A model may write anything: HTML in its text stays text, pictures are not fetched, links say where they lead. */
const components: Components = {
  h1: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  h2: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  h3: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  h4: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  h5: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  h6: ({ children }) => <AnswerHeading>{children}</AnswerHeading>,
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const text = String(children);
    const block = className?.startsWith('language-') || text.includes('\n');
    if (!block) return <Code>{children}</Code>;
    return <CodeBlock language={className?.replace('language-', '')} text={text.replace(/\n$/, '')} />;
  },
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ alt, src }) => <NoPicture alt={alt} address={typeof src === 'string' ? src : ''} />,
  blockquote: ({ children }) => <Blockquote p="sm">{children}</Blockquote>,
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={300}>
      <Table highlightOnHover={false} mb={10}>
        {children}
      </Table>
    </Table.ScrollContainer>
  ),
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children, style }) => <Table.Th style={style}>{children}</Table.Th>,
  td: ({ children, style }) => <Table.Td style={style}>{children}</Table.Td>,
};

export function Markdown({ text }: { text: string }) {
  return (
    <div>
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** The page has its own headings: those of an answer stand below all of them. */
function AnswerHeading({ children }: { children: ReactNode }) {
  return (
    <Title order={4} size="h5" mt="sm" mb="xs">
      {children}
    </Title>
  );
}

/** Longest address that is shown: one that is written once may be referred to a thousand times. */
const MAX_ADDRESS_CHARS = 500;

/** Only https leads anywhere, and the address is there to be read first. The desktop app opens no foreign pages. */
function SafeLink({ href = '', children }: { href: string | undefined; children: ReactNode }) {
  const address = safeAddress(href);
  const shown = address === String(children) ? null : children;
  if (!address) return <Text component="span">{children}</Text>;
  const text = shown ? (
    <>
      {shown} (<Address>{address}</Address>)
    </>
  ) : (
    <Address>{address}</Address>
  );
  if (isDesktop()) return <Text component="span">{text}</Text>;
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </Anchor>
  );
}

/** In a box of its own: whatever turns the direction of writing around it, it reads as it is. */
function Address({ children }: { children: string }) {
  return (
    <bdi dir="ltr" style={{ display: 'inline-block', maxWidth: '100%' }}>
      {children}
    </bdi>
  );
}

function safeAddress(href: string): string | undefined {
  if (href.length > MAX_ADDRESS_CHARS || !URL.canParse(href)) return undefined;
  const { protocol, href: address } = new URL(href);
  return protocol === 'https:' && address.length <= MAX_ADDRESS_CHARS ? address : undefined;
}

function NoPicture({ alt, address }: { alt: string | undefined; address: string }) {
  const { t } = useTranslation('playground');
  return (
    <Text component="span" c="dimmed" fs="italic">
      {t('picture', { alt: alt || address.slice(0, MAX_ADDRESS_CHARS) })}
    </Text>
  );
}

/** Code with its language and a button that copies it; long lines scroll. */
function CodeBlock({ language, text }: { language: string | undefined; text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <div className={classes.code}>
      <header>
        {language ?? ''}
        <Button variant="subtle" color="gray" size="compact-xs" onClick={copy}>
          {t(copied ? 'action.copied' : 'action.copy')}
        </Button>
      </header>
      <ScrollArea viewportProps={{ tabIndex: 0 }}>
        <Code>{text}</Code>
      </ScrollArea>
    </div>
  );
}
