import { deflateSync } from 'node:zlib';

export interface SmallPdfOptions {
  /** Compressed, as most are. Default false. */
  deflated?: boolean;
  /** Wants a password that nobody knows. Default false. */
  locked?: boolean;
}

/** A PDF with these lines of Latin text on each page; a page without lines has a drawing alone. */
export function smallPdf(
  pages: readonly (readonly string[])[],
  { deflated = false, locked = false }: SmallPdfOptions = {},
): Buffer<ArrayBuffer> {
  const first = 4;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 1 + 2 * at} 0 R >>`,
      stream(contentOf(lines), deflated),
    ]),
  ];
  return written(objects, locked);
}

function contentOf(lines: readonly string[]): string {
  if (lines.length === 0) return '10 10 100 100 re f';
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`);
  return `BT /F1 12 Tf 50 750 Td 14 TL ${shown.join(' ')} ET`;
}

function stream(content: string, deflated: boolean): string {
  const bytes = deflated ? deflateSync(Buffer.from(content, 'latin1')).toString('latin1') : content;
  return `<< /Length ${bytes.length}${deflated ? ' /Filter /FlateDecode' : ''} >>\nstream\n${bytes}\nendstream`;
}

function written(objects: readonly string[], locked: boolean): Buffer<ArrayBuffer> {
  const places: number[] = [];
  let file = '%PDF-1.4\n';
  for (const [at, object] of objects.entries()) {
    places.push(file.length);
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  const secret = '00'.repeat(32);
  const lock = locked
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /O <${secret}> /U <${secret}> /P -4 >> /ID [<${secret}> <${secret}>]`
    : '';
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
