// Everything.
#pragma once

#include "firth/brown.hpp"
#include "firth/build_info.hpp"
#include "firth/cluster.hpp"
#include "firth/clustering.hpp"
#include "firth/corpus.hpp"
#include "firth/counts.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "firth/progress.hpp"
#include "firth/report.hpp"
#include "firth/sample.hpp"
#include "firth/spectral.hpp"
#include "firth/types.hpp"
#include "firth/version.hpp"
