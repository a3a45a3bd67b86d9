import { rounded } from '../statistics';
import { UNITS, type ConstantName, type Constants } from './constants';
import type { Demand } from './load-model';
import type { Profile, Sizing } from './size';

/** A sizing with its price by the estimator. */
export interface Priced extends Sizing {
  readonly demand: Demand;
  readonly profile: Profile;
  readonly monthlyUsd: number;
  /** Of it. */
  readonly egressUsd: number;
}

/** What one demand needs. */
export function sizedText(sized: Priced): string {
  const { demand, profile, deliveriesPerS, executionsPerS, processes, deletesPerS, parts, monthlyUsd } = sized;
  const { eventsPerS, fanOut, failing } = demand;
  return [
    `**${number(eventsPerS)} events/s**, each to ${fanOut === 1 ? '1 endpoint' : `${number(fanOut)} endpoints`}, ` +
      `${rounded(failing * 100)} % of the first attempts fail, \`${profile}\`: ${number(deliveriesPerS)} deliveries/s, ` +
      `${number(executionsPerS)} executions/s, ${number(deletesPerS)} documents/s that expire. ` +
      `${processes === 1 ? 'One process' : `${number(processes)} processes`} of Everpost, ` +
      `${number(eventsPerS / processes)} events/s in each.`,
    '',
    '| Part | Busy cores | Machines | Disk of each, GB | Indexes in memory of each, GB |',
    '| --- | --- | --- | --- | --- |',
    ...parts.map(
      ({ name, cores, machines, instance, size, diskGb, indexGb }) =>
        `| ${name} | ${rounded(cores, 2)} | ${machines} × ${size === 1 ? '' : `${size} times `}${instance} | ${diskGb === 0 ? '' : number(diskGb)} | ${indexGb === undefined ? '' : rounded(indexGb, 2)} |`,
    ),
    '',
    `$${number(monthlyUsd)} a month by the estimator's AWS prices, of which $${number(sized.egressUsd)} are for ` +
      `${number(sized.egressGbPerMonth)} GB of egress.`,
  ].join('\n');
}

/** The limits, the nearest first. */
export function wallsTable({ walls, profile }: Priced): string {
  return [
    `Limits of \`${profile}\`, the nearest first. At these rates the resource is used up, without headroom:`,
    '',
    '| Events/s | What is used up | First symptom | Shown by | Remedy |',
    '| --- | --- | --- | --- | --- |',
    ...walls.map(
      ({ eventsPerS, name, symptom, signal, remedy }) =>
        `| ${number(eventsPerS)} | ${name} | ${symptom} | ${signal} | ${remedy} |`,
    ),
  ].join('\n');
}

export function loadsTable({ loads }: Constants): string {
  return [
    'CPU seconds for 1,000 events, by the load of one process. What an idle process uses is part of it:',
    '',
    '| Events/s | Accounts | Everpost | MongoDB | Temporal | MongoDB commands for an event | Measured by |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...loads.map(
      ({ perSecond, tenants, everpost, mongodb, temporal, commands, source }) =>
        `| ${perSecond} | ${tenants} | ${everpost} | ${mongodb} | ${temporal} | ${commands} | ${source} |`,
    ),
  ].join('\n');
}

export function constantsTable({ constants }: Constants): string {
  return [
    '| Constant | Value | Measured by |',
    '| --- | --- | --- |',
    ...(Object.keys(UNITS) as ConstantName[]).map((name) => {
      const { value, source } = constants[name];
      return value === null
        ? `| ${name} | not measured yet: not in the sum | ${source} will |`
        : `| ${name} | ${value} ${UNITS[name]} | ${source} |`;
    }),
  ].join('\n');
}

function number(value: number): string {
  return rounded(value, value < 10 ? 2 : 0).toLocaleString('en');
}
