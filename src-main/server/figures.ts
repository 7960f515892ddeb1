import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';

/** A figure of the node for `/metrics`, read once a scrape. */
export interface Figure {
  /** `quarry_peers`; those that only grow end with `_total`. */
  name: string;
  /** One sentence. */
  help: string;
  /** `total` only grows since the start. Default: gauge. */
  kind?: 'gauge' | 'total';
  /** What the values are told apart by, where there are several. */
  label?: string;
  /** The same, where it takes several. */
  labels?: readonly string[];
  /** The value now; by the label’s values where there is a label. */
  read: () => Values | Promise<Values>;
}

/** One value of a figure that is told apart by several labels. */
export interface LabelledValue {
  labels: Record<string, string>;
  value: number;
}

type Values = number | Readonly<Record<string, number>> | readonly LabelledValue[];

/** Adds what the parts of the node count. A figure that cannot be read stays as it was. */
export function addFigures(registry: Registry, figures: readonly Figure[], log: Logger): void {
  for (const { name, help, kind, label, labels: several = [], read } of figures) {
    const values = async (): Promise<LabelledValue[]> => {
      const now = await read();
      if (typeof now === 'number') return [{ labels: {}, value: now }];
      if (isLabelled(now)) return [...now];
      return Object.entries(now).map(([of, value]) => ({ labels: label ? { [label]: of } : {}, value }));
    };
    const update = async (metric: { reset(): void }, put: (labels: Record<string, string>, value: number) => void) => {
      try {
        const now = await values();
        metric.reset();
        for (const { labels, value } of now) put(labels, value);
      } catch (error) {
        log.error({ err: error, figure: name }, 'a figure cannot be read for /metrics');
      }
    };
    const options = { name, help, labelNames: [...(label ? [label] : []), ...several], registers: [registry] };
    if (kind === 'total') {
      new Counter({
        ...options,
        collect() {
          return update(this, (labels, value) => this.inc(labels, value));
        },
      });
    } else {
      new Gauge({
        ...options,
        collect() {
          return update(this, (labels, value) => this.set(labels, value));
        },
      });
    }
  }
}

const isLabelled = (values: Exclude<Values, number>): values is readonly LabelledValue[] => Array.isArray(values);

/**
 * The process metrics that Prometheus recommends. The library's own set keeps a timer and an observer running that
 * cannot be stopped.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of this process, without its children.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset(); // it is counted elsewhere
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_heap_used_bytes',
    help: 'JavaScript heap in use.',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When this process started, in Unix time.',
    registers,
    collect() {
      this.set(performance.timeOrigin / 1000);
    },
  });
}
