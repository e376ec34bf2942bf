// JSON values as lists of their leaves, and what differs between two of them.

/** Every leaf with its place: `contents[0].parts[0].text` → its value as JSON. */
export function flat(value, place = '') {
  if (!value || typeof value !== 'object') return new Map([[place, JSON.stringify(value)]]);
  const members = Object.entries(value).map(([key, member]) => [step(value, place, key), member]);
  if (members.length === 0) return new Map([[place, JSON.stringify(value)]]);
  return new Map(members.flatMap(([at, member]) => [...flat(member, at)]));
}

function step(value, place, key) {
  if (Array.isArray(value)) return `${place}[${key}]`;
  return place === '' ? key : `${place}.${key}`;
}

/** One line a difference: `theirs PLACE = VALUE` or `ours PLACE = VALUE`. */
export function differences(theirs, ours) {
  const [a, b] = [flat(theirs), flat(ours)];
  const only = (whose, one, other) =>
    [...one].filter(([place, value]) => other.get(place) !== value).map(([place, value]) => `${whose} ${place} = ${value}`);
  return [...only('theirs', a, b), ...only('ours', b, a)];
}
