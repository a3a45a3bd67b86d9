import { List, Text } from '@mantine/core';

/** What an erasure removes and what it leaves, before someone decides. */
export function WhatGoes() {
  return (
    <>
      <Text size="sm">This is erased, and can’t be undone:</Text>
      <List size="sm" mb="xs">
        <List.Item>the data as sent, and what finds the event by a search value</List.Item>
        <List.Item>what the receivers answered: the beginning of the response, its headers</List.Item>
        <List.Item>deliveries that are not finished: they are cancelled</List.Item>
      </List>
      <Text size="sm">What stays: ids, types, times, states, attempts, and copies that your receivers have.</Text>
    </>
  );
}
