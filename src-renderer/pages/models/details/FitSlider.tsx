import { Group, Slider, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

interface FitSliderProps {
  title: string;
  /** What can be chosen, in its order. */
  steps: readonly number[];
  value: number;
  written: (value: number) => ReactNode;
  /** Told when the slider is let go. */
  onChoose: (value: number) => void;
}

/** A figure of how a model is loaded: tried by hand, and told while it moves. No slider where there is nothing to choose. */
export function FitSlider({ title, steps, value, written, onChoose }: FitSliderProps) {
  const id = useId();
  const [held, hold] = useState<number>();
  const place = held ?? steps.indexOf(value);
  return (
    <>
      <Group justify="space-between" mb={10} wrap="nowrap">
        <Text size="sm" fw={550} id={id}>
          {title}
        </Text>
        <Text size="sm" className="num" ta="right">
          {written(steps[place] ?? value)}
        </Text>
      </Group>
      {steps.length > 1 && (
        <Slider
          aria-labelledby={id}
          thumbLabel={title}
          size={4}
          thumbSize={16}
          label={null}
          min={0}
          max={steps.length - 1}
          value={place}
          onChange={hold}
          onChangeEnd={(step) => {
            hold(undefined);
            onChoose(steps[step] ?? value);
          }}
          scale={(step) => steps[step] ?? 0}
        />
      )}
    </>
  );
}
