# heapglass as an Emscripten port, for Emscripten 3.1.54 and newer:
#
#   emcc app.c --use-port=$(npx heapglass --port) -o app.js
#   emcc app.c --use-port=$(npx heapglass --port):profile=trace -o app.js
#
# Nothing is fetched or built: the archives lie beside this file. A program with -pthread gets those made for threads, unasked.
# One with -sSTANDALONE_WASM, which ports are not told of in time, asks for profile=hardened-standalone and so on.
# What is linked stands in ../flags.json, which is written from what `heapglass --ldflags` prints.

import json
import os

HOME = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))

with open(os.path.join(HOME, 'flags.json'), encoding='utf-8') as file:
  FLAGS = json.load(file)

LICENSE = 'MIT license'
DESCRIPTION = 'heapglass: a malloc that can be watched'
URL = 'https://www.npmjs.com/package/heapglass'
PROFILES = [name for name in FLAGS if not name.endswith('-threads') and name != 'freestanding']
OPTIONS = {'profile': f'What malloc does beside allocating: {", ".join(PROFILES)} (default fast)'}

chosen = {'profile': 'fast'}


def handle_options(options, error_handler):
  profile = options.get('profile', 'fast')
  if profile not in PROFILES:
    error_handler(f'there is no profile `{profile}`; there are {", ".join(PROFILES)}')
  chosen['profile'] = profile


def profile_for(settings):
  if not (settings.PTHREADS or settings.SHARED_MEMORY):
    return chosen['profile']
  name = f'{chosen["profile"]}-threads'
  if name not in FLAGS:
    raise Exception(f'heapglass: the profile `{chosen["profile"]}` is not made for threads')
  return name


def words(settings):
  return [word.replace('@/', HOME + '/') for word in FLAGS[profile_for(settings)]['link']]


# The archive, and what the linker itself is told.
def get(ports, settings, shared):
  libraries = []
  for word in words(settings):
    if word.endswith('.a'):
      libraries.append(word)
    elif word.startswith('-Wl,'):
      libraries += word[len('-Wl,'):].split(',')
  libraries.reverse()  # emcc turns the list round
  return libraries


# JavaScript of the profiles with events.
def linker_setup(ports, settings):
  standalone = f'{chosen["profile"]}-standalone'
  if settings.STANDALONE_WASM and standalone in FLAGS:
    raise Exception(f'heapglass: with -sSTANDALONE_WASM the profile is `{standalone}`')
  option = '--js-library='
  settings.JS_LIBRARIES += [word[len(option):] for word in words(settings) if word.startswith(option)]


def clear(ports, settings, shared):
  pass


def process_args(ports):
  return ['-I' + os.path.join(HOME, 'include')]
