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
  /** The value now; by the label’s values where there is a label. */
  read: () => number | Readonly<Record<string, number>>;
}

/** Adds what the parts of the node count. A figure that cannot be read stays as it was. */
export function addFigures(registry: Registry, figures: readonly Figure[], log: Logger): void {
  for (const { name, help, kind, label, read } of figures) {
    const values = (): [labels: Record<string, string>, value: number][] => {
      const value = read();
      if (typeof value === 'number') return [[{}, value]];
      return Object.entries(value).map(([of, one]) => [label ? { [label]: of } : {}, one]);
    };
    const update = (metric: { reset(): void }, put: (labels: Record<string, string>, value: number) => void) => {
      try {
        const now = values();
        metric.reset();
        for (const [labels, value] of now) put(labels, value);
      } catch (error) {
        log.error({ err: error, figure: name }, 'a figure cannot be read for /metrics');
      }
    };
    const options = { name, help, labelNames: label ? [label] : [], registers: [registry] };
    if (kind === 'total') {
      new Counter({
        ...options,
        collect() {
          update(this, (labels, value) => this.inc(labels, value));
        },
      });
    } else {
      new Gauge({
        ...options,
        collect() {
          update(this, (labels, value) => this.set(labels, value));
        },
      });
    }
  }
}

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
