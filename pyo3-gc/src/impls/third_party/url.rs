//! `url`.

use url::Url;

use crate::leaf;

leaf!(Url);
