// Compiled to see whether this version of Boost can: with Boost's own allocator, so that a fault of ours hides nothing. 1.92 cannot:
// basic_string::shrink_to_fit calls priv_storage(received_size) for every allocator of version 2, and there is no such function.
#include <boost/container/allocator.hpp>
#include <boost/container/string.hpp>

using Text = boost::container::basic_string<char, std::char_traits<char>, boost::container::allocator<char, 2>>;

void shrink(Text &text) { text.shrink_to_fit(); }
