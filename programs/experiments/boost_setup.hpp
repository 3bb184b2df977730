// To be included before any header of Boost. The experiments use its containers, which are headers only; in wasm there are
// no exceptions and no stdio, so what Boost would throw or assert ends the module instead.
#pragma once

#if defined(__wasm__)
#ifndef BOOST_DISABLE_ASSERTS
#define BOOST_DISABLE_ASSERTS
#endif
#endif
