import { useTranslation } from 'react-i18next';
import { raoOf, taoText } from '../../src-preload/contract/rao.ts';
import { sizeText } from '../../src-preload/contract/sizes.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** What four digits after the point show the last of. */
const RAO_SHOWN = 100_000n;
/** Half of all TAO that there can ever be: who tells of more tells nonsense, for which there is little room. */
const RAO_COMPACT = 10n ** 16n;
/** Times that stand in columns and below charts are as long at noon as at night. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Numbers, sizes and times as people of one language write them. */
export class Format {
  readonly #language: string;
  /** By their options: Intl's formatters take longer to make than all else that a chart does in a second. */
  readonly #numberForms = new Map<string, Intl.NumberFormat>();
  readonly #timeForms = new Map<string, Intl.DateTimeFormat>();

  /** @param language «en» writes as America does, «en-GB» as Britain */
  constructor(language: string) {
    this.#language = language;
  }

  /** 12345.678 as «12,346»; `digits` after the point at most. Default 0. */
  number(value: number, digits = 0): string {
    return this.#numbers({ maximumFractionDigits: digits }).format(value);
  }

  /** For little room: 1234 as «1,234», 12345 as «12K»; below that always with as many digits after the point. */
  short(value: number, digits = 0): string {
    const form: Intl.NumberFormatOptions =
      Math.abs(value) < 10_000
        ? { minimumFractionDigits: digits, maximumFractionDigits: digits }
        : { notation: 'compact', maximumFractionDigits: 1 };
    return this.#numbers(form).format(value);
  }

  /** 0.5 as «0.5», 2 as «2.0». */
  tenths(value: number): string {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    return this.#numbers(digits).format(value);
  }

  /** With its sign: «+12», «−3», «0». */
  signed(value: number): string {
    // Intl writes a hyphen, which is shorter than the plus.
    return this.#numbers({ signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(value).replace('-', '−');
  }

  /** «one, two, and three» */
  list(parts: Iterable<string>): string {
    return new Intl.ListFormat(this.#language).format(parts);
  }

  /** 0.256 as «26%»; with so many digits after the point. Default 0. */
  percent(share: number, digits = 0): string {
    const form = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
    return this.#numbers(form).format(share);
  }

  /** 148.2 as «148 W». */
  watts(watts: number): string {
    return `${this.number(watts)}\u00a0W`;
  }

  /** Watt hours as «0.81 kWh». */
  energy(wattHours: number): string {
    const kilowattHours = wattHours / 1_000;
    return `${this.number(kilowattHours, kilowattHours < 10 ? 2 : 1)}\u00a0kWh`;
  }

  /** Degrees Celsius as «63 °C». */
  degrees(celsius: number): string {
    return `${this.number(celsius)}\u00a0°C`;
  }

  /** 1.5 as «€1.50». @param currency ISO 4217; without one the figure stands alone */
  money(amount: number, currency?: string): string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return this.#numbers(currency === undefined ? digits : { style: 'currency', currency }).format(amount);
  }

  /** Rao as «12.4083», with four digits after the point, or the first that tell something; cut off, never rounded up. */
  tao(rao: string): string {
    return this.#taoForm(rao).format(taoText(BigInt(rao)) as `${number}`);
  }

  /** Rao of a subnet's alpha for a column: «1,234.57», and what is less than the last digit as zero. */
  alpha(rao: string): string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2, roundingMode: 'trunc' } as const;
    return this.#numbers(digits).format(taoText(BigInt(rao)) as `${number}`);
  }

  /** Rao as TAO in two pieces, for the eye: «12» and «.4083». */
  taoParts(rao: string): { whole: string; rest: string } {
    const parts = this.#taoForm(rao).formatToParts(taoText(BigInt(rao)) as `${number}`);
    const point = parts.findIndex(({ type }) => type !== 'integer' && type !== 'group');
    const text = (some: Intl.NumberFormatPart[]) => some.map(({ value }) => value).join('');
    return { whole: text(parts.slice(0, point)), rest: text(parts.slice(point)) };
  }

  /** Rao with all its digits, as «1.25» or «0.000124»: for what is confirmed. */
  taoExact(rao: string): string {
    return this.#numbers({ maximumFractionDigits: 9 }).format(taoText(BigInt(rao)) as `${number}`);
  }

  /** The same as it is typed into a field: without separators of thousands. */
  taoTyped(rao: string): string {
    return this.#numbers({ maximumFractionDigits: 9, useGrouping: false }).format(taoText(BigInt(rao)) as `${number}`);
  }

  /** What somebody typed as an amount of TAO, in rao; undefined for what is none. Only with this language's own point: «1,000» must not become 1. */
  readTao(text: string): string | undefined {
    const point = this.decimalPoint;
    const plain = text.trim();
    if (point !== '.' && plain.includes('.')) return undefined;
    try {
      return String(raoOf(plain.replace(point, '.')));
    } catch {
      return undefined; // it is no amount
    }
  }

  /** What stands before the decimals: «.» or «,». */
  get decimalPoint(): string {
    return (
      this.#numbers({})
        .formatToParts(1.5)
        .find(({ type }) => type === 'decimal')?.value ?? '.'
    );
  }

  #taoForm(rao: string): Intl.NumberFormat {
    const roundingMode = 'trunc';
    if (BigInt(rao) >= RAO_COMPACT)
      return this.#numbers({ roundingMode, notation: 'compact', maximumFractionDigits: 1 });
    const tiny = rao !== '0' && BigInt(rao) < RAO_SHOWN;
    const digits = tiny ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 4, maximumFractionDigits: 4 };
    return this.#numbers({ roundingMode, ...digits });
  }

  /** Bytes as «512 B», «4.7 GB», in steps of 1,000. */
  bytes(bytes: number): string {
    return sizeText(bytes, (value, digits) => this.number(value, digits), '\u00a0');
  }

  /** Bytes a second as «12.4 MB/s». */
  rate(bytesPerSecond: number): string {
    return `${this.bytes(bytesPerSecond)}/s`;
  }

  /** Milliseconds as «340 ms», «2.1 s», «3 min», «5 h», «2 days». */
  duration(ms: number): string {
    const seconds = ms / 1_000;
    if (ms < 1_000) return this.#unit(ms, 'millisecond');
    if (seconds < MINUTE) return `${this.number(seconds, seconds < 10 ? 1 : 0)}\u00a0s`; // Intl's is «sec»
    if (seconds < HOUR) return this.#unit(seconds / MINUTE, 'minute');
    if (seconds < DAY) return this.#unit(seconds / HOUR, 'hour', seconds < 10 * HOUR ? 1 : 0);
    return this.#unit(seconds / DAY, 'day', 0, 'long');
  }

  /** Unix milliseconds as «3 Jan, 14:05»; with the year when it is another one. */
  time(at: number): string {
    const year = new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
    return this.#times({
      ...(year && { year }),
      month: 'short',
      day: 'numeric',
      ...CLOCK,
    }).format(at);
  }

  /** Unix milliseconds as «3 Jan». */
  day(at: number): string {
    return this.#times({ month: 'short', day: 'numeric' }).format(at);
  }

  /** Unix milliseconds as «Fri, 3 Jan». */
  weekday(at: number): string {
    return this.#times({ weekday: 'short', month: 'short', day: 'numeric' }).format(at);
  }

  /** Unix milliseconds as «14:05». */
  hours(at: number): string {
    return this.#times(CLOCK).format(at);
  }

  /** Unix milliseconds as «October»; with the year when it is another one. */
  month(at: number): string {
    const year = new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
    return new Intl.DateTimeFormat(this.#language, { ...(year && { year }), month: 'long' }).format(at);
  }

  /** Unix milliseconds as «Thursday». */
  dayOfWeek(at: number): string {
    return this.#times({ weekday: 'long' }).format(at);
  }

  /** Unix milliseconds as «14:05:09». */
  clock(at: number): string {
    return this.#times({ ...CLOCK, second: '2-digit' }).format(at);
  }

  /** Unix milliseconds as «5 minutes ago» or «in 2 hours». */
  relative(at: number, now = Date.now()): string {
    const seconds = (at - now) / 1_000;
    const size = Math.abs(seconds);
    const [unit, length]: [Intl.RelativeTimeFormatUnit, number] =
      size < MINUTE ? ['second', 1] : size < HOUR ? ['minute', MINUTE] : size < DAY ? ['hour', HOUR] : ['day', DAY];
    return new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto' }).format(Math.round(seconds / length), unit);
  }

  #numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const key = JSON.stringify(options);
    const form = this.#numberForms.get(key) ?? new Intl.NumberFormat(this.#language, options);
    this.#numberForms.set(key, form);
    return form;
  }

  #times(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = JSON.stringify(options);
    const form = this.#timeForms.get(key) ?? new Intl.DateTimeFormat(this.#language, options);
    this.#timeForms.set(key, form);
    return form;
  }

  #unit(value: number, unit: string, digits = 0, unitDisplay: 'short' | 'long' = 'short'): string {
    const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const;
    return this.#numbers(options).format(value);
  }
}

/** One for each language that was spoken since the page was opened. */
const formats = new Map<string, Format>();

/** Formats in the language that the screens speak now. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const format = formats.get(language) ?? new Format(regional(language));
  formats.set(language, format);
  return format;
}

/** The variety of a language that the browser asks for: «en-GB» has its days before its months. */
function regional(language: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}
