import { Group, Text } from '@mantine/core';
import type { EndpointHealth } from '../api/answers';

type Health = EndpointHealth['endpoints'][number];

const WIDTH = 120;
const HEIGHT = 24;
const GAP = 1;

/** A bar for each of the last 24 hours: as tall as there were deliveries, red as far as they failed. */
export function HealthBars({ health }: { readonly health: Health | undefined }) {
  if (!health) {
    return (
      <Text size="sm" c="dimmed">
        no deliveries
      </Text>
    );
  }
  const most = Math.max(1, ...health.hours.map(({ delivered, failed, open }) => delivered + failed + open));
  const barWidth = WIDTH / health.hours.length;
  const scale = HEIGHT / most;
  const unfinished = health.hours.reduce((sum, hour) => sum + hour.open, 0);
  const failureRate =
    health.failure_rate === null
      ? `none finished, ${unfinished.toLocaleString('en')} open`
      : `${percent(health.failure_rate)} failed`;
  return (
    <Group gap="sm" wrap="nowrap">
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={`Deliveries of the last 24 hours: ${failureRate}`}>
        {health.hours.map(({ from, delivered, failed, open }, index) => {
          const x = index * barWidth;
          const width = barWidth - GAP;
          const total = (delivered + failed + open) * scale;
          return (
            <g key={from}>
              <rect x={x} y={HEIGHT - 1} width={width} height={1} fill="var(--border-soft)" />
              <rect x={x} y={HEIGHT - total} width={width} height={open * scale} fill="var(--mantine-color-yellow-5)" />
              <rect
                x={x}
                y={HEIGHT - (delivered + failed) * scale}
                width={width}
                height={failed * scale}
                fill="var(--mantine-color-red-5)"
              />
              <rect
                x={x}
                y={HEIGHT - delivered * scale}
                width={width}
                height={delivered * scale}
                fill="var(--mantine-color-tide-5)"
              />
            </g>
          );
        })}
      </svg>
      <Text size="sm" className="figures" c={health.failure_rate ? 'inherit' : 'dimmed'}>
        {failureRate}
      </Text>
    </Group>
  );
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(rate > 0 && rate < 0.01 ? 2 : 1)} %`;
}
