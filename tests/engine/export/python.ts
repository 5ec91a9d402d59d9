import { spawnSync } from 'node:child_process'

/** The first Python that has a module. */
export function pythonWith(module: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', `import ${module}`]).status === 0)
}
