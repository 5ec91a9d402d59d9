/**
 * The options of a run by path, from its spec: `train.batch`, `task.options.data.dataset`, `data.hash`. Lists are JSON, and
 * what decides which run it is (seed, the run it starts from, and its teacher) is left out.
 */
export function optionsOf(spec: Record<string, unknown>): Record<string, string | number> {
  const { seed: _, from: __, teacher: ___, data, ...rest } = spec
  const found: Record<string, string | number> = {}
  collect('', { ...rest, data: typeof data === 'string' ? { hash: data } : data }, found)
  delete found['task.kind'] // always `task`
  return found
}

function collect(path: string, value: unknown, into: Record<string, string | number>): void {
  if (value === null || value === undefined) return
  if (typeof value === 'string' || typeof value === 'number') into[path] = value
  else if (typeof value !== 'object') into[path] = String(value)
  else if (Array.isArray(value)) into[path] = JSON.stringify(value)
  else for (const [name, item] of Object.entries(value)) collect(path ? `${path}.${name}` : name, item, into)
}
