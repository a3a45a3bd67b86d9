import { Group, Text } from '@mantine/core';
import type { EndpointHealthList } from '../api/answers';
import { shareOf } from '../elements/with-unit';

type Hours = EndpointHealthList['endpoints'][number]['hours'];

const WIDTH = 120;
const HEIGHT = 24;
const GAP = 1;

/** A bar for each of the last 24 hours: as tall as there were attempts, red as far as they failed. */
export function HealthBars({ hours }: { readonly hours: Hours }) {
  const attempts = hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  if (attempts === 0) {
    return (
      <Text size="sm" c="dimmed">
        no attempts
      </Text>
    );
  }
  const scale = HEIGHT / Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed));
  const barWidth = WIDTH / hours.length;
  const failures = hours.reduce((sum, { failed }) => sum + failed, 0);
  const failureRate = `${shareOf(failures, attempts)} failed`;
  return (
    <Group gap="sm" wrap="nowrap">
      {/* A narrow column would cut off the newest hours. */}
      <svg
        width={WIDTH}
        height={HEIGHT}
        style={{ flexShrink: 0 }}
        role="img"
        aria-label={`Attempts of the last 24 hours: ${failureRate}`}
      >
        {hours.map(({ from, succeeded, failed }, index) => {
          const x = index * barWidth;
          const width = barWidth - GAP;
          return (
            <g key={from}>
              <rect x={x} y={HEIGHT - 1} width={width} height={1} fill="var(--border-soft)" />
              <rect
                x={x}
                y={HEIGHT - (succeeded + failed) * scale}
                width={width}
                height={failed * scale}
                fill="var(--mantine-color-red-5)"
              />
              <rect
                x={x}
                y={HEIGHT - succeeded * scale}
                width={width}
                height={succeeded * scale}
                fill="var(--mantine-color-tide-5)"
              />
            </g>
          );
        })}
      </svg>
      <Text size="sm" className="figures" c={failures > 0 ? 'inherit' : 'dimmed'}>
        {failureRate}
      </Text>
    </Group>
  );
}
