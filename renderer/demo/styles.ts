import parts from '../datacard/parts.css?inline'
import base from '../styles/base.css?inline'
import tryIt from '../styles/try.css?inline'
import tokens from '../tokens.css?inline'
import own from './demo.css?inline'

const style = document.createElement('style')
style.textContent = [tokens, base, parts, tryIt, own].join('\n')
document.head.append(style)
