// Functions of mathematics that the standard library lacks or does not allow in several threads.
#pragma once

namespace firth::base {

/// psi(x) = d ln Gamma(x) / dx for x > 0.
double digamma(double x);

/// ln Gamma(x) for x > 0. std::lgamma writes a global variable and must not be called by several threads.
double log_gamma(double x);

}  // namespace firth::base
