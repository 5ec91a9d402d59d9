import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../app/cli/index.ts'
import { sizes } from '../engine/models/sizes.ts'
import { signatures } from '../engine/nn/signatures.ts'
import { resolveRecipe } from '../engine/train/recipe.ts'
import manifest from '../package.json' with { type: 'json' }
import { counts } from './engine/models/counts.ts'

const root = resolve(import.meta.dirname, '..')
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe.each(documents)('%s', (document) => {
  const text = read(document)
  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link as string)
    const missing = links.filter((link) => !existsSync(join(root, dirname(document), link)))
    expect(missing).toEqual([])
  })
  it('names folders and files that exist', () => {
    const places = [...text.matchAll(/`((?:app|engine|renderer|experiments|tests|docs)\/[\w./-]*)`/g)]
    const missing = places.map(([, place]) => place as string).filter((place) => !existsSync(join(root, place)))
    expect(missing).toEqual([])
  })
  it('names scripts and commands that exist', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script as string)
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([])
    const called = [...text.matchAll(/`(?:npx )?mixlab (\w+)/g)].map(([, command]) => command as string)
    const known = ['help', ...Object.keys(commands)]
    expect(called.filter((command) => !known.includes(command))).toEqual([])
  })
})

describe('docs/recipes.md', () => {
  it('has the defaults of the recipe', () => {
    const recipe = resolveRecipe({}) as unknown as Record<string, unknown>
    const rows = [...read('docs/recipes.md').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, text]) => [
      name,
      text,
    ])
    const plain = /^`?(-?[\d.]+|true|false|'[^']*'|\{ \w+: [\d.]+ \})`?$/
    const literal = (text: string) => JSON.parse(text.replaceAll("'", '"').replaceAll(/(\w+):/g, '"$1":'))
    const said = rows.flatMap(([name = '', text = '']) => {
      const [, value] = plain.exec(text) ?? []
      return name in recipe && value !== undefined ? [[name, literal(value)]] : []
    })
    expect(said.length).toBeGreaterThan(10)
    expect(said).toEqual(said.map(([name]) => [name, recipe[name]]))
  })
})

describe('docs/blocks.md', () => {
  it('has a line for every function of the block language', () => {
    const rows = read('docs/blocks.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)[(`]/g)].map(([, name]) => name))
    expect(Object.keys(signatures).filter((name) => !named.includes(name))).toEqual([])
  })
})

describe('docs/dependencies.md', () => {
  it('has a line for every dependency', () => {
    const text = read('docs/dependencies.md')
    const mentioned = (name: string) => {
      const [scope, base] = name.split(/-(?=backend|core)/)
      return (
        text.includes(name) ||
        (name.startsWith('@tensorflow/') && text.includes(`${scope},`) && text.includes(`-${base}`))
      )
    }
    const all = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(all.filter((name) => !mentioned(name))).toEqual([])
  })
})

describe('CONTRIBUTING.md', () => {
  it('names registries that list what is there', () => {
    const table = read('CONTRIBUTING.md')
    for (const index of ['engine/models/index.ts', 'engine/nn/index.ts', 'engine/data/index.ts', 'app/cli/index.ts']) {
      expect(table).toContain(index)
      const folder = dirname(index)
      const listed = read(index)
      expect(statSync(join(root, folder)).isDirectory()).toBe(true)
      expect(listed.length).toBeGreaterThan(0)
    }
  })
  it('is true of the models: every architecture file is in the index', () => {
    const index = read('engine/models/index.ts')
    const plumbing = ['index.ts', 'sizes.ts', 'published.ts']
    const models = globSync('*.ts', { cwd: join(root, 'engine/models') }).filter((name) => !plumbing.includes(name))
    expect(models.filter((name) => !index.includes(`./${name}`))).toEqual([])
  })
  it('is true of the commands: every one has a file', () => {
    const files = globSync('app/cli/**/*.ts', { cwd: root }).map((path) => basename(path, '.ts'))
    expect(Object.keys(commands).filter((name) => !files.includes(name))).toEqual([])
  })
})

describe('docs/architectures.md', () => {
  const text = read('docs/architectures.md')
  it('has every architecture', () => {
    const plumbing = ['index.ts', 'sizes.ts', 'published.ts', 'tokensToToken.ts']
    const models = globSync('*.ts', { cwd: join(root, 'engine/models') }).filter((name) => !plumbing.includes(name))
    expect(models.filter((name) => !text.includes(`(../engine/models/${name})`))).toEqual([])
  })
  it.each(Object.keys(sizes))('has the count of %s', (name) => {
    const count = counts[name]?.[0].toLocaleString('en-US')
    const published = sizes[name]?.published
    expect(text).toContain(`${name}: ${count}${published === undefined ? '' : ` (${published} M)`}`)
  })
})

describe('docs/gallery.md', () => {
  const rows = new Map(
    read('docs/gallery.md')
      .match(/^\| .*$/gm)
      ?.map((row) => [row.slice(2).split(' | ')[0], row]),
  )
  const notebooks = globSync('experiments/gallery-*.ts', { cwd: root })
  it.each(notebooks)('has a row for every idea of %s, with the same papers', (notebook) => {
    for (const cell of read(notebook).split('// ## ').slice(1)) {
      const [name = ''] = cell.split('\n')
      expect(rows.get(name)?.match(/https:[^)]*/g), name).toEqual(cell.match(/https:[^)]*/g))
    }
  })
})

describe('docs/findings.md', () => {
  const [, , ...paragraphs] = read('docs/findings.md').split('\n\n') // after the heading, and what the page is
  const sentences = paragraphs
    .filter((text) => !text.startsWith('#'))
    .flatMap((text) => text.trim().split(/(?<=\.)\s+(?=\S)/))
  it('has a claim beside every sentence, with a verdict that is one of its own', () => {
    const wrong = sentences.filter((sentence) => {
      const [, verdict, claim] = /\(\[([a-z ]+)\]\(\.\.\/(experiments\/[\w-]+\/[\w-]+)\.ts\)\)\.$/.exec(sentence) ?? []
      if (!claim || !existsSync(join(root, `${claim}.json`))) return true
      const { parts }: { parts: { verdict: string }[] } = JSON.parse(read(`${claim}.json`)).claim
      return !parts.some((part) => part.verdict === verdict)
    })
    expect(wrong).toEqual([])
  })
  it('has at most three pages', () => {
    expect(sentences.length).toBeGreaterThan(10)
    expect(sentences.join(' ').split(/\s+/).length).toBeLessThan(1500)
  })
})

describe('the project', () => {
  it('has a lock file without hosts', () => {
    expect(read('package-lock.json')).not.toContain('"resolved": "http')
  })
})
