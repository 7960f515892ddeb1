import type { Command } from 'commander';
import { sizeText } from '../../src-preload/contract/sizes.ts';
import type { Reading } from '../hardware/reading.ts';
import type { GpuInfo, HardwareReport } from '../hardware/report.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { interruptible } from './terminal/interruption.ts';
import { counted, type Output } from './terminal/output.ts';

/** `quarry hardware`: what this machine is made of, and who says so. */
export function registerHardware(program: Command): void {
  program
    .command('hardware')
    .description('show CPU, memory, GPUs, disk, battery and temperature, and where each figure comes from')
    .action(runCommand(hardware));
}

async function hardware({ config, output, signal }: CommandContext): Promise<void> {
  const { probeComputer } = await import('../app/node/examination.ts');
  const report = await interruptible(probeComputer(config), signal);
  output.document(report);
  show(report, output);
}

function show(report: HardwareReport, output: Output): void {
  const row = <T>(name: string, reading: Reading<T>, text: (value: T) => string) =>
    output.line(
      `${name.padEnd(12)} ${reading.value === undefined ? `unknown: ${reading.reason}` : `${text(reading.value)}  [${reading.source}]`}`,
    );
  row('System', report.os, (os) => `${os.name}, ${os.arch}`);
  row(
    'CPU',
    report.cpu,
    (cpu) =>
      `${cpu.model}, ${cpu.physicalCores === undefined ? '? cores' : counted(cpu.physicalCores, 'core')}, ${counted(cpu.logicalCores, 'thread')}`,
  );
  row('Memory', report.memory, (memory) => `${sizeText(memory.available)} free of ${sizeText(memory.total)}`);
  row<GpuInfo[]>('GPU', report.gpus, (gpus) => gpus.map(gpuText).join('; ') || 'none: models run on the CPU');
  for (const { name, reason } of report.gpus.leftOut ?? [])
    output.line(`${' '.repeat(13)}${name} is left out: ${reason}`);
  row('Disk', report.disk, (disk) => `${sizeText(disk.free)} free of ${sizeText(disk.total)} at ${disk.path}`);
  row('Battery', report.battery, (battery) =>
    battery.present ? `${battery.percent ?? '?'} %, ${battery.onBattery ? 'on battery' : 'on mains'}` : 'none',
  );
  row('Temperature', report.temperature, ({ cpu, gpu }) =>
    [cpu !== undefined && `CPU ${Math.round(cpu)} °C`, gpu !== undefined && `GPU ${Math.round(gpu)} °C`]
      .filter(Boolean)
      .join(', '),
  );
}

function gpuText(gpu: GpuInfo): string {
  const name = gpu.devices?.map((device, number) => `${number}: ${device}`).join(' + ') ?? gpu.name;
  return `${name}, ${vramText(gpu)}, ${gpu.backend ?? 'not usable by the engine'}${sensorText(gpu)}  [${gpu.source}]`;
}

function sensorText({ temperature, watts }: GpuInfo): string {
  const heat = temperature === undefined ? '' : `, ${Math.round(temperature)} °C`;
  return watts === undefined ? heat : `${heat}, ${Math.round(watts)} W`;
}

function vramText({ vramFree, vramTotal }: GpuInfo): string {
  if (vramTotal === undefined) return 'memory unknown';
  return vramFree === undefined ? sizeText(vramTotal) : `${sizeText(vramFree)} free of ${sizeText(vramTotal)}`;
}
