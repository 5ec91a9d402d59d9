import { expect, it } from 'vitest'
import { preflightText } from '../../../engine/records/preflight.ts'

it('says what is known of a variant, and leaves out what is not', () => {
  const known = { variant: 'v', parameters: 1234, macs: 5678, program: null, exported: null, wrong: null }
  expect(preflightText(known)).toBe(
    '1,234 parameters, 5,678 multiply-adds, runs as a program, leaves as ONNX, PyTorch and TF.js',
  )
  expect(preflightText({ ...known, macs: null, program: 'cell:3: reads values', exported: "no operation 'X'" })).toBe(
    "1,234 parameters, runs operation by operation (cell:3: reads values), leaves as safetensors and npz alone (no operation 'X')",
  )
  expect(preflightText({ ...known, parameters: null, wrong: 'cell:4: y is not defined' })).toBe(
    'fails before its first step: cell:4: y is not defined',
  )
})
